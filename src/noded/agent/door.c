#include "noded/agent/door.h"

#include <event2/event.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include <utlist.h>

#include "common/net/listen.h"
#include "common/rpc/preface.h"

enum {
    ACCEPTS_A_TURN = 16,
    REST_S = 5, /* after listening or accepting failed */
};

/* Between accept and hand-over. */
struct caller {
    struct door *door;
    int fd;
    struct net_addr addr;
    struct event *event, *deadline;
    uint8_t preface[RPC_PREFACE_N];
    uint32_t n; /* bytes of it that came */
    struct caller *prev, *next;
};

struct door {
    struct event_base *base;
    const struct agent_options *options;
    struct root *root;
    door_node_fn *fn;
    void *ctx;
    int fd; /* -1: not listening yet */
    struct event *event, *rest;
    bool told; /* why it cannot listen */
    struct caller *callers;
    uint32_t callers_n;
};

static void leave(struct caller *caller)
{
    struct door *door = caller->door;

    DL_DELETE(door->callers, caller);
    door->callers_n--;
    event_free(caller->event);
    event_free(caller->deadline);
    if (caller->fd >= 0)
        close(caller->fd);
    free(caller);
    if (!event_pending(door->rest, EV_TIMEOUT, NULL))
        event_add(door->event, NULL);
}

static void cut(struct caller *caller, enum log_level level, const char *why)
{
    AUTO_FREE char *from = net_addr_text(&caller->addr);

    log_at(caller->door->options->log, level, "connection from %s cut: %s", from, why);
    leave(caller);
}

/* A peer that does not take four bytes need not know why it is cut. */
static void refuse(struct caller *caller, int code, const char *why)
{
    uint8_t answer[RPC_PREFACE_ANSWER_N];

    rpc_preface_answer_encode(code, answer);
    if (send(caller->fd, answer, sizeof(answer), MSG_NOSIGNAL | MSG_DONTWAIT) < 0)
        why = "it is gone";
    cut(caller, LOG_VERBOSE, why);
}

/* ---- handing over ---- */

static void on_passed(void *ctx, int code, const char *text)
{
    if (code)
        refuse(ctx, code, text);
    else
        leave(ctx); /* the step has the connection and answers itself */
}

static void pass_to_step(struct caller *caller, const struct rpc_preface *preface)
{
    const struct priv_connect verb = { preface->job_id, preface->step_id };
    AUTO(strbuf) struct strbuf bytes = { 0 };

    event_del(caller->event);
    event_del(caller->deadline);
    priv_connect_encode(&verb, &bytes);
    root_ask(caller->door->root, PRIV_CONNECT, &bytes, &caller->fd, 1, on_passed, caller);
}

static void pass_to_node(struct caller *caller)
{
    struct door *door = caller->door;
    int fd = steal_fd(&caller->fd);

    leave(caller);
    door->fn(door->ctx, fd);
}

static void route(struct caller *caller)
{
    struct rpc_preface preface;
    struct err err = { 0 };

    if (rpc_preface_decode(caller->preface, &preface, &err) < 0)
        cut(caller, LOG_ERROR, err.text);
    else if (preface.target == RPC_TARGET_STEP)
        pass_to_step(caller, &preface);
    else
        pass_to_node(caller);
}

static void on_bytes(evutil_socket_t fd, short what, void *arg)
{
    struct caller *caller = arg;
    ssize_t n = recv(fd, caller->preface + caller->n, RPC_PREFACE_N - caller->n, MSG_DONTWAIT);

    (void)what;
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (n <= 0) {
        cut(caller, LOG_VERBOSE, "it ended before its preface did");
        return;
    }
    caller->n += (uint32_t)n;
    if (caller->n == RPC_PREFACE_N)
        route(caller);
}

static void on_late(evutil_socket_t fd, short what, void *arg)
{
    (void)fd;
    (void)what;
    cut(arg, LOG_ERROR, "no preface in time");
}

/* ---- letting in ---- */

/* One deadline for all of the preface: bytes that trickle in do not move it. */
static void welcome(struct door *door, int fd, const struct net_addr *addr)
{
    static const struct timeval wait = { DOOR_PREFACE_MS / 1000, DOOR_PREFACE_MS % 1000 * 1000 };
    struct caller *caller = xcalloc(1, sizeof(*caller));

    *caller = (struct caller){ .door = door, .fd = fd, .addr = *addr };
    caller->event = event_new(door->base, fd, EV_READ | EV_PERSIST, on_bytes, caller);
    caller->deadline = evtimer_new(door->base, on_late, caller);
    DL_APPEND(door->callers, caller);
    door->callers_n++;
    event_add(caller->event, NULL);
    event_add(caller->deadline, &wait);
}

static void rest(struct door *door)
{
    if (door->event)
        event_del(door->event);
    event_add(door->rest, &(struct timeval){ REST_S, 0 });
}

static void on_connection(evutil_socket_t listen_fd, short what, void *arg)
{
    struct door *door = arg;

    (void)what;
    for (int i = 0; i < ACCEPTS_A_TURN; i++) {
        struct net_addr addr = { .n = sizeof(addr.storage) };
        int fd;

        if (door->callers_n >= DOOR_MAX) {
            event_del(door->event); /* until one leaves */
            return;
        }
        fd = accept4(listen_fd, (struct sockaddr *)&addr.storage, &addr.n,
                     SOCK_CLOEXEC | SOCK_NONBLOCK);
        if (fd < 0 && (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM))
            rest(door);
        if (fd < 0)
            return;
        welcome(door, fd, &addr);
    }
}

/* ---- listening ---- */

static void try_listen(struct door *door)
{
    struct err err = { 0 };

    if (net_listen_tcp(NULL, door->options->port, &door->fd, NULL, &err) < 0) {
        if (!door->told)
            log_error(door->options->log,
                      "SlurmdPort: %s; sattach, sstat and the like do not work until it is free",
                      err.text);
        door->told = true;
        rest(door);
        return;
    }
    door->event = event_new(door->base, door->fd, EV_READ | EV_PERSIST, on_connection, door);
    event_add(door->event, NULL);
}

static void on_rested(evutil_socket_t fd, short what, void *arg)
{
    struct door *door = arg;

    (void)fd;
    (void)what;
    if (door->event)
        event_add(door->event, NULL);
    else
        try_listen(door);
}

struct door *door_new(struct event_base *base, const struct agent_options *options,
                      struct root *root, door_node_fn *fn, void *ctx)
{
    struct door *door = xcalloc(1, sizeof(*door));

    *door = (struct door){
        .base = base, .options = options, .root = root, .fn = fn, .ctx = ctx, .fd = -1
    };
    door->rest = evtimer_new(base, on_rested, door);
    try_listen(door);
    return door;
}

struct door *door_free(struct door *door)
{
    if (!door)
        return NULL;
    while (door->callers)
        leave(door->callers);
    event_free(door->rest);
    if (door->event)
        event_free(door->event);
    if (door->fd >= 0)
        close(door->fd);
    free(door);
    return NULL;
}
