#include "common/client/visit.h"

#include <event2/event.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "common/net/dial.h"
#include "common/net/resolve.h"

struct visit {
    struct event_base *base;
    struct visit_target target; /* its strings are owned */
    struct net_resolve_call *resolve;
    struct net_dial_call *dial;
    int fd; /* connected, no session yet; -1 */
    struct event *readable, *deadline;
    uint8_t answer[RPC_PREFACE_ANSWER_N];
    uint32_t answer_n;
    struct rpc_session *session;
    visited_fn *fn;
    void *arg;
};

struct visit *visit_cancel(struct visit *visit)
{
    if (!visit)
        return NULL;
    net_resolve_cancel(visit->resolve);
    net_dial_cancel(visit->dial);
    rpc_session_free(visit->session);
    if (visit->readable)
        event_free(visit->readable);
    event_free(visit->deadline);
    if (visit->fd >= 0)
        close(visit->fd);
    free((char *)(uintptr_t)visit->target.node);
    free((char *)(uintptr_t)visit->target.host);
    free((char *)(uintptr_t)visit->target.cluster);
    free((char *)(uintptr_t)visit->target.authc.socket_path);
    free(visit);
    return NULL;
}

static void fail(struct visit *visit, const struct err *why)
{
    visited_fn *fn = visit->fn;
    void *arg = visit->arg;
    struct err err = *why;

    (void)err_prefix(&err, "%s", visit->target.node);
    visit_cancel(visit);
    fn(arg, NULL, &err);
}

static void on_deadline(evutil_socket_t fd, short what, void *arg)
{
    struct visit *visit = arg;
    struct err err = { 0 };

    (void)fd;
    (void)what;
    (void)err_set(&err, E_TIMEOUT, "no answer at %s port %u in time", visit->target.host,
                  visit->target.port);
    fail(visit, &err);
}

/* ---- the session ---- */

static bool accept_peer(const struct rpc_peer *peer, void *ctx, struct err *err)
{
    const struct visit_target *target = &((const struct visit *)ctx)->target;

    if (target->preface.target == RPC_TARGET_STEP && peer->role == RPC_ROLE_STEP &&
        (peer->uid == target->uid || target->uid == (uid_t)-1))
        return true;
    if (target->preface.target == RPC_TARGET_NODE && peer->role == RPC_ROLE_NODE && peer->node &&
        strcmp(peer->node, target->node) == 0 && (peer->uid == 0 || peer->uid == target->uid))
        return true;
    (void)err_set(err, E_AUTH, "who answers is %s of uid %u, not whom this is for",
                  rpc_role_name(peer->role), peer->uid);
    return false;
}

static void on_ready(struct rpc_session *session, void *ctx)
{
    struct visit *visit = ctx;
    visited_fn *fn = visit->fn;
    void *arg = visit->arg;

    visit->session = NULL;
    rpc_session_set_callbacks(session, &(struct rpc_callbacks){ 0 }, NULL);
    visit_cancel(visit);
    fn(arg, session, NULL);
}

static void on_closed(struct rpc_session *session, const struct err *why, void *ctx)
{
    (void)session;
    fail(ctx, why);
}

static void start_session(struct visit *visit)
{
    static const struct rpc_callbacks callbacks = { .on_ready = on_ready, .on_closed = on_closed };
    const struct visit_target *target = &visit->target;
    const struct rpc_options options = { .role = RPC_ROLE_CLIENT,
                                         .cluster = target->cluster,
                                         .authc = target->authc,
                                         .clock = target->clock,
                                         .accept_peer = accept_peer,
                                         .ctx = visit,
                                         .heartbeat_ms = target->heartbeat_ms,
                                         .backlog_max = target->backlog_max };

    event_del(visit->readable);
    visit->session =
        rpc_session_new(visit->base, steal_fd(&visit->fd), true, &options, &callbacks, visit);
}

/* ---- the preface ---- */

static void take_answer(struct visit *visit)
{
    int code = rpc_preface_answer_decode(visit->answer);
    struct err err = { 0 };

    if (code == 0) {
        start_session(visit);
        return;
    }
    (void)err_set(&err, code, "%s", err_string(code));
    fail(visit, &err);
}

static void on_readable(evutil_socket_t fd, short what, void *arg)
{
    struct visit *visit = arg;
    struct err err = { 0 };
    ssize_t n = recv(fd, visit->answer + visit->answer_n, sizeof(visit->answer) - visit->answer_n,
                     MSG_DONTWAIT);

    (void)what;
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (n <= 0) {
        (void)err_set(&err, E_CLOSED, "the node ended the connection");
        fail(visit, &err);
        return;
    }
    visit->answer_n += (uint32_t)n;
    if (visit->answer_n == sizeof(visit->answer))
        take_answer(visit);
}

static void on_dialed(void *arg, int fd, const struct net_addr *addr, const struct err *err)
{
    struct visit *visit = arg;
    uint8_t preface[RPC_PREFACE_N];
    struct err why = { 0 };

    (void)addr;
    visit->dial = NULL;
    if (fd < 0) {
        fail(visit, err);
        return;
    }
    visit->fd = fd;
    rpc_preface_encode(&visit->target.preface, preface);
    if (send(fd, preface, sizeof(preface), MSG_NOSIGNAL) != sizeof(preface)) {
        (void)err_set(&why, E_CLOSED, "the node ended the connection");
        fail(visit, &why);
        return;
    }
    visit->readable = event_new(visit->base, fd, EV_READ | EV_PERSIST, on_readable, visit);
    event_add(visit->readable, NULL);
}

static void on_resolved(void *arg, int rc, const struct net_addrs *addrs, const struct err *err)
{
    struct visit *visit = arg;

    visit->resolve = NULL;
    if (rc < 0)
        fail(visit, err);
    else
        visit->dial =
            net_dial_async(visit->base, addrs, visit->target.timeout_ms, on_dialed, visit);
}

struct visit *visit_start(struct event_base *base, const struct visit_target *target,
                          visited_fn *fn, void *arg)
{
    struct visit *visit = xcalloc(1, sizeof(*visit));
    int ms = target->timeout_ms ? target->timeout_ms : VISIT_MS;

    *visit = (struct visit){ .base = base, .target = *target, .fd = -1, .fn = fn, .arg = arg };
    visit->target.timeout_ms = ms;
    visit->target.node = xstrdup(target->node);
    visit->target.host = xstrdup(target->host);
    visit->target.cluster = xstrdup(target->cluster);
    visit->target.authc.socket_path = xstrdup(target->authc.socket_path);
    visit->deadline = evtimer_new(base, on_deadline, visit);
    event_add(visit->deadline, &(struct timeval){ ms / 1000, ms % 1000 * 1000 });
    visit->resolve = net_resolve_async(base, target->host, target->port, ms, on_resolved, visit);
    return visit;
}
