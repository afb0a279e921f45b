#include "common/client/connect.h"

#include <errno.h>
#include <event2/event.h>
#include <string.h>

#include "common/base/clock.h"
#include "common/net/dial.h"
#include "common/net/resolve.h"

enum {
    TIMEOUT_MS = 10000,
    WAY_MIN_MS = 1000,    /* each way gets that much, even when time is short */
    PAUSE_FIRST_MS = 100, /* between rounds; grows by half each time */
    PAUSE_MOST_MS = 2000,
    BUSY_MS = 60000, /* more patience, with one that is there but has no time yet */
};

struct connect_call {
    struct event_base *base;              /* borrowed */
    const struct client_options *options; /* borrowed */
    enum rpc_role server;                 /* that is looked for */
    uint32_t way;                         /* 0 the Unix socket, then hosts */
    int64_t round_ends_ms, patience_ends_ms, busy_ends_ms;
    int pause_ms;
    char *host; /* being tried */
    uint16_t port;
    struct net_resolve_call *resolve;
    struct net_dial_call *dial;
    struct rpc_session *session;
    struct event *timer; /* the next round, and the end of a call */
    struct strbuf failures;
    bool may_pass;   /* a failure of this round that time may heal */
    bool is_busy;    /* somebody took a connection in this round, but did not come to it */
    bool is_refused; /* nothing listened on a way of this round */
    connected_fn *fn;
    void *arg;
};

static int timeout_ms(const struct client_options *options)
{
    return options->timeout_ms > 0 ? options->timeout_ms : TIMEOUT_MS;
}

static uint32_t ways_n(const struct connect_call *call)
{
    return call->options->hosts_n + 1;
}

/* Returns the time for this way in milliseconds: a fair share of what is left of the round. */
static int way_ms(const struct connect_call *call)
{
    int64_t left = call->round_ends_ms - clock_mono_ms();
    int64_t share = left / (int64_t)(ways_n(call) - (call->way < ways_n(call) ? call->way : 0));

    return share > WAY_MIN_MS ? (int)share : WAY_MIN_MS;
}

static void drop_way(struct connect_call *call)
{
    call->resolve = net_resolve_cancel(call->resolve);
    call->dial = net_dial_cancel(call->dial);
    call->session = rpc_session_free(call->session);
}

struct connect_call *connect_cancel(struct connect_call *call)
{
    if (!call)
        return NULL;
    drop_way(call);
    event_free(call->timer);
    strbuf_clear(&call->failures);
    free(call->host);
    free(call);
    return NULL;
}

static void finish(struct connect_call *call, struct rpc_session *session, const struct err *why)
{
    connected_fn *fn = call->fn;
    void *arg = call->arg;

    connect_cancel(call);
    fn(arg, session, why);
}

static void try_way(struct connect_call *call);

/*
 * Returns whether an error may pass: a controller or munged that restarts comes back, but a wrong
 * key or name stays wrong.
 */
static bool passes(int code)
{
    switch (code) {
    case ENOENT: /* no munged, here or there */
    case ECONNREFUSED:
    case ECONNRESET:
    case EHOSTUNREACH:
    case ENETUNREACH:
    case ETIMEDOUT:
    case EAGAIN:
    case EIO: /* of a name service */
    case E_CLOSED:
    case E_TIMEOUT:
        return true;
    default:
        return false;
    }
}

/* Notes the failure of a way. The address is not repeated when the error begins with it. */
static void note(struct connect_call *call, const char *where, const struct err *why)
{
    bool told = strncmp(why->text, where, strlen(where)) == 0;

    strbuf_addf(&call->failures, "%s%s%s%s", call->failures.len ? "; " : "", told ? "" : where,
                told ? "" : ": ", why->text);
    call->may_pass |= passes(why->code);
    call->is_refused |= why->code == ECONNREFUSED;
}

static void next_way(struct connect_call *call, const char *where, const struct err *why)
{
    note(call, where, why);
    drop_way(call);
    call->way++;
    try_way(call);
}

static void next_host(struct connect_call *call, const struct err *why)
{
    AUTO_FREE char *where = xasprintf("%s:%u", call->host, call->port);

    next_way(call, where, why);
}

/* ---- the session ---- */

static bool accept_server(const struct rpc_peer *peer, void *ctx, struct err *err)
{
    const struct connect_call *call = ctx;

    if (peer->uid != call->options->slurm_uid && peer->uid != 0) {
        err_set(err, E_AUTH, "served by uid %u, neither by SlurmUser (uid %u) nor by root",
                (unsigned)peer->uid, (unsigned)call->options->slurm_uid);
        return false;
    }
    if (peer->role != call->server) {
        err_set(err, E_AUTH, "served by a %s, not by a %s", rpc_role_name(peer->role),
                rpc_role_name(call->server));
        return false;
    }
    return true;
}

static void on_ready(struct rpc_session *session, void *ctx)
{
    struct connect_call *call = ctx;

    call->session = NULL;
    rpc_session_set_callbacks(session, &(struct rpc_callbacks){ 0 }, NULL);
    finish(call, session, NULL);
}

static void on_closed(struct rpc_session *session, const struct err *why, void *ctx)
{
    struct connect_call *call = ctx;

    (void)session;
    call->is_busy |= why->code == ETIMEDOUT;
    call->may_pass |= why->code == E_SESSIONS;
    if (why->code == E_SESSIONS && !call->options->returns) {
        struct err told = *why; /* `why` may be freed with the session */

        finish(call, NULL, &told); /* no other way leads past a controller that refuses */
    } else if (call->way == 0) {
        next_way(call, call->options->socket_path, why);
    } else {
        next_host(call, why);
    }
}

static void start_session(struct connect_call *call, int fd)
{
    static const struct rpc_callbacks callbacks = { .on_ready = on_ready, .on_closed = on_closed };
    const struct client_options *options = call->options;
    struct rpc_options session = { .role = options->role ? options->role : RPC_ROLE_CLIENT,
                                   .cluster = options->cluster,
                                   .authc = options->authc,
                                   .clock = options->clock,
                                   .accept_peer = accept_server,
                                   .ctx = call,
                                   .heartbeat_ms = options->heartbeat_ms,
                                   .handshake_ms = (uint32_t)way_ms(call) };

    call->session = rpc_session_new(call->base, fd, true, &session, &callbacks, call);
}

/* ---- the ways ---- */

static void on_dialed(void *arg, int fd, const struct net_addr *addr, const struct err *err)
{
    struct connect_call *call = arg;

    (void)addr;
    call->dial = NULL;
    if (fd < 0)
        next_host(call, err);
    else
        start_session(call, fd);
}

static void on_resolved(void *arg, int rc, const struct net_addrs *addrs, const struct err *err)
{
    struct connect_call *call = arg;

    call->resolve = NULL;
    if (rc < 0)
        next_host(call, err);
    else
        call->dial = net_dial_async(call->base, addrs, way_ms(call), on_dialed, call);
}

static void try_host(struct connect_call *call, const char *text)
{
    struct err err = { 0 };

    free(STEAL(call->host));
    if (net_host_port_parse(text, call->options->port, &call->host, &call->port, &err) < 0) {
        next_way(call, text, &err);
        return;
    }
    call->resolve =
        net_resolve_async(call->base, call->host, call->port, way_ms(call), on_resolved, call);
}

/*
 * Tries the Unix socket. A missing one is not noted, because the controller may be on another
 * machine.
 */
static void try_local(struct connect_call *call)
{
    const char *path = call->options->socket_path;
    struct err err = { 0 };
    int fd, rc = path ? net_dial_unix(path, &fd, &err) : -ENOENT;

    if (rc == 0) {
        start_session(call, fd);
        return;
    }
    call->may_pass |= path && call->options->hosts_n == 0; /* it may appear */
    if (path && (rc != -ENOENT || call->options->hosts_n == 0)) {
        err_set(&err, -rc, "%s", strerror(-rc));
        note(call, path, &err);
    }
    call->way++;
    try_way(call);
}

/* ---- rounds ---- */

static void start_round(struct connect_call *call)
{
    strbuf_truncate(&call->failures, 0);
    call->may_pass = call->is_busy = call->is_refused = false;
    call->way = 0;
    call->round_ends_ms = clock_mono_ms() + timeout_ms(call->options);
    try_way(call);
}

static void on_timer(evutil_socket_t fd, short what, void *arg)
{
    (void)fd;
    (void)what;
    start_round(arg);
}

/* Returns the number of what kept who is looked for from being reached. That of the controller is
 * told by scripts from others. */
static int code_of_failure(const struct connect_call *call)
{
    if (call->is_busy)
        return E_TIMEOUT;
    if (call->server == RPC_ROLE_CONTROLLER)
        return E_CONTACT;
    return call->is_refused ? ECONNREFUSED : ENOTCONN;
}

/* Ends a round after its last way: starts another one after a pause, or gives up. */
static void end_round(struct connect_call *call)
{
    int64_t ends_ms = call->is_busy ? call->busy_ends_ms : call->patience_ends_ms;
    int64_t left = ends_ms - clock_mono_ms();
    struct timeval wait;

    if (left <= 0 || !call->may_pass) {
        struct err err = { 0 };

        err_set(&err, code_of_failure(call), "%.500s",
                call->failures.len ? strbuf_text(&call->failures)
                                   : "no controller is configured (SlurmctldHost)");
        finish(call, NULL, &err);
        return;
    }
    if (call->pause_ms > left)
        call->pause_ms = (int)left;
    wait = (struct timeval){ call->pause_ms / 1000, call->pause_ms % 1000 * 1000 };
    event_add(call->timer, &wait);
    call->pause_ms += call->pause_ms / 2 + 1;
    if (call->pause_ms > PAUSE_MOST_MS)
        call->pause_ms = PAUSE_MOST_MS;
}

static void try_way(struct connect_call *call)
{
    if (call->way == 0)
        try_local(call);
    else if (call->way < ways_n(call))
        try_host(call, call->options->hosts[call->way - 1]);
    else
        end_round(call);
}

struct connect_call *connect_start(struct event_base *base, const struct client_options *options,
                                   int patience_ms, connected_fn *fn, void *arg)
{
    struct connect_call *call = xcalloc(1, sizeof(*call));

    call->base = base;
    call->options = options;
    call->server = options->server ? options->server : RPC_ROLE_CONTROLLER;
    call->patience_ends_ms = clock_mono_ms() + patience_ms;
    call->busy_ends_ms = call->patience_ends_ms + (patience_ms ? BUSY_MS : 0);
    call->pause_ms = PAUSE_FIRST_MS;
    call->fn = fn;
    call->arg = arg;
    call->timer = event_new(base, -1, 0, on_timer, call);
    event_active(call->timer, EV_TIMEOUT, 0);
    return call;
}
