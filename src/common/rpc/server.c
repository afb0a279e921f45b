#include "common/rpc/server.h"

#include <errno.h>
#include <event2/event.h>
#include <string.h>
#include <sys/socket.h>
#include <utlist.h>

enum {
    ACCEPTS_A_TURN = 16,
    REST_MS = 500, /* after accept failed, for want of descriptors as a rule */
};

struct listener {
    struct rpc_server *server;
    int fd; /* borrowed */
    struct event *event;
    struct event *timer; /* ends a rest */
    uint32_t handshakes; /* under way */
    struct listener *next;
};

struct guest { /* a session in its handshake */
    struct listener *listener;
    struct rpc_session *session;
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
};

/* Hands the session over, or lets it go; either way there is room for another. */
static struct rpc_session *guest_leave(struct guest *guest)
{
    struct rpc_server *server = guest->listener->server;
    struct rpc_session *session = guest->session;

    rpc_session_set_callbacks(session, &(struct rpc_callbacks){ 0 }, NULL);
    guest->listener->handshakes--;
    event_add(guest->listener->event, NULL);
    DL_DELETE(server->guests, guest);
    free(guest);
    return session;
}

static void on_ready(struct rpc_session *session, void *ctx)
{
    struct guest *guest = ctx;
    struct rpc_server *server = guest->listener->server;

    guest_leave(guest);
    server->callbacks.on_session(session, server->ctx);
}

static void on_closed(struct rpc_session *session, const struct err *why, void *ctx)
{
    struct guest *guest = ctx;
    struct rpc_server *server = guest->listener->server;

    rpc_session_free(guest_leave(guest));
    (void)session;
    if (server->callbacks.on_refused)
        server->callbacks.on_refused(why, server->ctx);
}

static void welcome(struct listener *listener, int fd)
{
    static const struct rpc_callbacks callbacks = { .on_ready = on_ready, .on_closed = on_closed };
    struct rpc_server *server = listener->server;
    struct guest *guest = xcalloc(1, sizeof(*guest));

    guest->listener = listener;
    listener->handshakes++;
    DL_APPEND(server->guests, guest);
    guest->session = rpc_session_new(server->base, fd, false, &server->options, &callbacks, guest);
}

/* Accepting goes on after a while; connections wait in the kernel's queue until then. */
static void rest(struct listener *listener, int code)
{
    struct rpc_server *server = listener->server;
    struct timeval wait = { REST_MS / 1000, REST_MS % 1000 * 1000 };
    struct err why = { 0 };

    err_set(&why, code, "cannot accept a connection: %s; will retry", strerror(code));
    event_del(listener->event);
    event_add(listener->timer, &wait);
    if (server->callbacks.on_refused)
        server->callbacks.on_refused(&why, server->ctx);
}

static void on_connection(evutil_socket_t listen_fd, short what, void *arg)
{
    struct listener *listener = arg;

    (void)what;
    for (int i = 0; i < ACCEPTS_A_TURN; i++) {
        int fd;

        if (listener->handshakes >= listener->server->handshakes_max) {
            event_del(listener->event); /* guest_leave adds it again */
            return;
        }
        fd = accept4(listen_fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
        if (fd >= 0)
            welcome(listener, fd);
        else if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM)
            rest(listener, errno);
        if (fd < 0)
            return;
    }
}

static void on_rested(evutil_socket_t fd, short what, void *arg)
{
    struct listener *listener = arg;

    (void)fd;
    (void)what;
    event_add(listener->event, NULL);
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
    server->handshakes_max = handshakes_max ? handshakes_max : RPC_HANDSHAKES_MAX;
    server->callbacks = *callbacks;
    server->ctx = ctx;
    return server;
}

void rpc_server_listen(struct rpc_server *server, int fd)
{
    struct listener *listener = xcalloc(1, sizeof(*listener));

    listener->server = server;
    listener->fd = fd;
    listener->event = event_new(server->base, fd, EV_READ | EV_PERSIST, on_connection, listener);
    listener->timer = event_new(server->base, -1, 0, on_rested, listener);
    event_add(listener->event, NULL);
    LL_PREPEND(server->listeners, listener);
}

static void free_listeners(struct rpc_server *server)
{
    struct listener *listener, *next;

    LL_FOREACH_SAFE(server->listeners, listener, next)
    {
        event_free(listener->event);
        event_free(listener->timer);
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
