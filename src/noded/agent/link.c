#include "noded/agent/link.h"

#include <errno.h>
#include <event2/event.h>
#include <string.h>

#include "common/crypt/crypt.h"
#include "common/net/dial.h"
#include "common/net/resolve.h"
#include "noded/agent/claim.h"

#define RESOLVE_MS     5000
#define DIAL_MS        5000
#define PAUSE_FIRST_MS 100
#define PAUSE_MOST_MS  5000

struct link {
    struct event_base *base;
    const struct agent_options *options;
    struct root *root;
    struct link_callbacks callbacks;
    void *ctx;
    struct rpc_session *session;
    bool open;
    int told; /* code of the trouble that was last told at large, 0: none */
    uint32_t resolved_n;
    struct net_addrs addrs;
    struct net_resolve_call *resolving;
    struct net_dial_call *dialing;
    struct event *pause;
    uint32_t pause_ms;
    struct err why;     /* the last name that was not found */
    struct err trouble; /* of the last round */
};

static void try_next(struct link *link);

static void on_pause(evutil_socket_t fd, short what, void *arg)
{
    struct link *link = arg;

    (void)fd;
    (void)what;
    link->resolved_n = 0; /* a host's address may have changed */
    net_addrs_clear(&link->addrs);
    try_next(link);
}

/* Waits between half and all of the pause, so that nodes that lost the controller together spread
 * out. */
static void pause_then_try(struct link *link, const struct err *why)
{
    uint16_t chance;
    uint32_t ms;

    log_at(link->options->log, link->told == why->code ? LOG_VERBOSE : LOG_INFO,
           "waiting for slurmctld, will keep trying: %s", why->text);
    link->told = why->code;
    link->trouble = *why;
    crypt_random(&chance, sizeof(chance));
    ms = link->pause_ms / 2 + link->pause_ms / 2 * chance / UINT16_MAX;
    link->pause_ms = link->pause_ms * 2 < PAUSE_MOST_MS ? link->pause_ms * 2 : PAUSE_MOST_MS;
    event_add(link->pause, &(struct timeval){ ms / 1000, ms % 1000 * 1000 });
}

/* ---- session ---- */

static void on_ready(struct rpc_session *session, void *ctx)
{
    struct link *link = ctx;

    link->open = true;
    link->callbacks.on_open(link->ctx, session);
}

static void on_frame(struct rpc_session *session, const struct rpc_frame *frame, void *ctx)
{
    struct link *link = ctx;

    link->callbacks.on_frame(link->ctx, session, frame);
}

static void on_closed(struct rpc_session *session, const struct err *why, void *ctx)
{
    struct link *link = ctx;
    struct err copy = *why;

    if (link->open)
        link->callbacks.on_lost(link->ctx);
    link->open = false;
    link->session = rpc_session_free(session);
    pause_then_try(link, &copy);
}

static bool accept_controller(const struct rpc_peer *peer, void *ctx, struct err *err)
{
    const struct link *link = ctx;

    if (peer->role == RPC_ROLE_CONTROLLER &&
        (peer->uid == link->options->slurm_uid || peer->uid == 0))
        return true;
    (void)err_set(err, E_ACCESS, "who answers is %s of uid %u, not slurmctld of SlurmUser",
                  rpc_role_name(peer->role), peer->uid);
    return false;
}

static void make_credential(const void *claim, size_t n, struct rpc_question *question, void *ctx)
{
    const struct link *link = ctx;

    claim_ask(link->root, claim, n, question);
}

static void on_dialed(void *arg, int fd, const struct net_addr *addr, const struct err *err)
{
    static const struct rpc_callbacks callbacks = { .on_ready = on_ready,
                                                    .on_frame = on_frame,
                                                    .on_closed = on_closed };
    struct link *link = arg;
    struct rpc_options options = { .role = RPC_ROLE_NODE,
                                   .cluster = link->options->cluster,
                                   .node = link->options->node,
                                   .authc = link->options->authc,
                                   .clock = link->options->clock,
                                   .accept_peer = accept_controller,
                                   .make_credential = make_credential,
                                   .ctx = link,
                                   .heartbeat_ms = link->options->heartbeat_ms };

    (void)addr;
    link->dialing = NULL;
    if (fd < 0)
        pause_then_try(link, err);
    else
        link->session = rpc_session_new(link->base, fd, true, &options, &callbacks, link);
}

/* ---- addresses ---- */

static void on_resolved(void *arg, int rc, const struct net_addrs *addrs, const struct err *err)
{
    struct link *link = arg;

    link->resolving = NULL;
    if (rc < 0)
        link->why = *err;
    for (uint32_t i = 0; rc >= 0 && i < addrs->addrs_n; i++)
        *ARRAY_PUSH(link->addrs.addrs, link->addrs.addrs_n) = addrs->addrs[i];
    link->resolved_n++;
    try_next(link);
}

static void try_next(struct link *link)
{
    const struct agent_options *options = link->options;

    if (link->resolved_n < options->controllers_n) {
        link->resolving =
            net_resolve_async(link->base, options->controllers[link->resolved_n],
                              options->controller_port, RESOLVE_MS, on_resolved, link);
        return;
    }
    if (link->addrs.addrs_n == 0)
        pause_then_try(link, &link->why);
    else
        link->dialing = net_dial_async(link->base, &link->addrs, DIAL_MS, on_dialed, link);
}

struct link *link_new(struct event_base *base, const struct agent_options *options,
                      struct root *root, const struct link_callbacks *callbacks, void *ctx)
{
    struct link *link = xcalloc(1, sizeof(*link));

    link->base = base;
    link->options = options;
    link->root = root;
    link->callbacks = *callbacks;
    link->ctx = ctx;
    link->pause_ms = PAUSE_FIRST_MS;
    link->pause = evtimer_new(base, on_pause, link);
    try_next(link);
    return link;
}

struct link *link_free(struct link *link)
{
    if (!link)
        return NULL;
    net_resolve_cancel(link->resolving);
    net_dial_cancel(link->dialing);
    rpc_session_free(link->session);
    event_free(link->pause);
    net_addrs_clear(&link->addrs);
    free(link);
    return NULL;
}

struct rpc_session *link_session(const struct link *link)
{
    return link->open ? link->session : NULL;
}

const struct err *link_trouble(const struct link *link)
{
    return &link->trouble;
}

void link_is_good(struct link *link)
{
    link->pause_ms = PAUSE_FIRST_MS;
    link->told = 0;
}
