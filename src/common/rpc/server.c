#include "common/rpc/server.h"

#include <event2/event.h>
#include <utlist.h>

#include "common/base/clock.h"
#include "common/net/gate.h"

/* More lines about who was refused would fill the log for whoever wants to fill it. */
#define REFUSALS_A_SECOND 5

struct listener {
    struct rpc_server *server;
    struct net_gate *gate;
    struct listener *next;
};

struct guest { /* a session in its handshake */
    struct rpc_server *server;
    struct rpc_session *session;
    struct net_guest *place;
    struct guest *prev, *next;
};

struct rpc_server {
    struct event_base *base; /* borrowed */
    struct rpc_options options;
    uint32_t handshakes_max;
    struct rpc_server_callbacks callbacks;
    void *ctx;
    struct listener *listeners;
    struct guest *guests;
    int64_t refused_since_ms; /* when the second began in which so many were told, and not */
    uint32_t refusals_n;
};

static void tell_refused(struct rpc_server *server, const struct err *why)
{
    const int64_t now = clock_mono_ms();

    if (!server->callbacks.on_refused)
        return;
    if (now >= server->refused_since_ms + 1000) {
        const uint32_t n = server->refusals_n;
        struct err more = { 0 };

        server->refused_since_ms = now;
        server->refusals_n = 0;
        if (n > REFUSALS_A_SECOND) {
            (void)err_set(&more, E_CLOSED, "%u more connections ended like those before",
                          n - REFUSALS_A_SECOND);
            server->callbacks.on_refused(&more, server->ctx);
        }
    }
    if (server->refusals_n++ < REFUSALS_A_SECOND)
        server->callbacks.on_refused(why, server->ctx);
}

/*
 * Ends the guest and returns its session, to be handed over or freed. There is then room for
 * another.
 */
static struct rpc_session *guest_leave(struct guest *guest)
{
    struct rpc_session *session = guest->session;

    rpc_session_set_callbacks(session, &(struct rpc_callbacks){ 0 }, NULL);
    net_guest_leave(guest->place);
    DL_DELETE(guest->server->guests, guest);
    free(guest);
    return session;
}

static void on_ready(struct rpc_session *session, void *ctx)
{
    struct guest *guest = ctx;
    struct rpc_server *server = guest->server;

    guest_leave(guest);
    server->callbacks.on_session(session, server->ctx);
}

static void on_closed(struct rpc_session *session, const struct err *why, void *ctx)
{
    struct guest *guest = ctx;
    struct rpc_server *server = guest->server;

    rpc_session_free(guest_leave(guest));
    (void)session;
    tell_refused(server, why);
}

static enum net_silence silence_of(const void *owner)
{
    return rpc_session_silence(((const struct guest *)owner)->session);
}

static void on_evicted(void *owner)
{
    rpc_session_free(guest_leave(owner));
}

static void on_guest(struct net_guest *place, int fd, void *ctx)
{
    static const struct rpc_callbacks callbacks = { .on_ready = on_ready, .on_closed = on_closed };
    static const struct net_owner kind = { silence_of, on_evicted };
    struct rpc_server *server = ((struct listener *)ctx)->server;
    struct guest *guest = xcalloc(1, sizeof(*guest));

    guest->server = server;
    guest->place = place;
    net_guest_own(place, &kind, guest);
    DL_APPEND(server->guests, guest);
    guest->session = rpc_session_new(server->base, fd, false, &server->options, &callbacks, guest);
}

static void on_remark(const struct err *what, void *ctx)
{
    struct rpc_server *server = ((struct listener *)ctx)->server;

    if (server->callbacks.on_refused)
        server->callbacks.on_refused(what, server->ctx);
}

struct rpc_server *rpc_server_new(struct event_base *base, const struct rpc_options *options,
                                  uint32_t handshakes_max,
                                  const struct rpc_server_callbacks *callbacks, void *ctx)
{
    struct rpc_server *server = xcalloc(1, sizeof(*server));

    server->base = base;
    server->options = *options;
    server->options.cluster = xstrdup(options->cluster);
    server->options.node = xstrdup(options->node);
    server->options.authc.socket_path = xstrdup(options->authc.socket_path);
    server->handshakes_max = handshakes_max;
    server->callbacks = *callbacks;
    server->ctx = ctx;
    return server;
}

void rpc_server_listen(struct rpc_server *server, int fd)
{
    static const struct net_gate_callbacks callbacks = { on_guest, on_remark };
    struct listener *listener = xcalloc(1, sizeof(*listener));

    listener->server = server;
    listener->gate = net_gate_new(server->base, server->handshakes_max, &callbacks, listener);
    net_gate_listen(listener->gate, fd);
    LL_PREPEND(server->listeners, listener);
}

static void free_listeners(struct rpc_server *server)
{
    struct listener *listener, *next;

    LL_FOREACH_SAFE(server->listeners, listener, next)
    {
        net_gate_free(listener->gate);
        free(listener);
    }
}

struct rpc_server *rpc_server_free(struct rpc_server *server)
{
    struct guest *guest, *next;

    if (!server)
        return NULL;
    DL_FOREACH_SAFE (server->guests, guest, next)
        rpc_session_free(guest_leave(guest));
    free_listeners(server);
    free((char *)(uintptr_t)server->options.cluster);
    free((char *)(uintptr_t)server->options.node);
    free((char *)(uintptr_t)server->options.authc.socket_path);
    free(server);
    return NULL;
}
