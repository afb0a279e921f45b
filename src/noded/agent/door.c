#include "noded/agent/door.h"

#include <event2/event.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include <utlist.h>

#include "common/net/listen.h"
#include "common/rpc/preface.h"

enum {
    REST_S = 5, /* after listening failed */
};

/* Between accept and hand-over. */
struct caller {
    struct door *door;
    struct net_guest *place;
    int fd;
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
    struct net_gate *gate;
    struct event *rest;
    bool told; /* why it cannot listen */
    struct caller *callers;
};

static void leave(struct caller *caller)
{
    DL_DELETE(caller->door->callers, caller);
    net_guest_leave(caller->place);
    event_free(caller->event);
    event_free(caller->deadline);
    if (caller->fd >= 0)
        close(caller->fd);
    free(caller);
}

static void cut(struct caller *caller, enum log_level level, const char *why)
{
    struct net_addr addr = { .n = sizeof(addr.storage) };
    AUTO_FREE char *from = NULL;

    if (getpeername(caller->fd, (struct sockaddr *)&addr.storage, &addr.n) == 0)
        from = net_addr_text(&addr);
    log_at(caller->door->options->log, level, "connection from %s cut: %s",
           from ? from : "one that is gone", why);
    leave(caller);
}

/* Refuses the caller. A peer that does not take four bytes need not know why it is cut. */
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
    struct net_guest *place = STEAL(caller->place);
    int fd = steal_fd(&caller->fd);

    leave(caller);
    door->fn(door->ctx, fd, place);
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

/* Returns whether the caller has said nothing yet. Once the preface is there, root is asked, which
 * has to answer. */
static enum net_silence silence_of(const void *owner)
{
    const struct caller *caller = owner;

    return caller->n == RPC_PREFACE_N ? GATE_WORKS : GATE_SAID_NOTHING;
}

static void on_evicted(void *owner)
{
    cut(owner, LOG_VERBOSE, "its preface did not come, and others wait");
}

/* Begins with a caller. One deadline holds for all of the preface: bytes that trickle in do not
 * move it. */
static void on_guest(struct net_guest *place, int fd, void *ctx)
{
    static const struct timeval wait = { DOOR_PREFACE_MS / 1000, DOOR_PREFACE_MS % 1000 * 1000 };
    static const struct net_owner kind = { silence_of, on_evicted };
    struct door *door = ctx;
    struct caller *caller = xcalloc(1, sizeof(*caller));

    *caller = (struct caller){ .door = door, .place = place, .fd = fd };
    caller->event = event_new(door->base, fd, EV_READ | EV_PERSIST, on_bytes, caller);
    caller->deadline = evtimer_new(door->base, on_late, caller);
    DL_APPEND(door->callers, caller);
    event_add(caller->event, NULL);
    event_add(caller->deadline, &wait);
    net_guest_own(place, &kind, caller);
}

static void on_remark(const struct err *what, void *ctx)
{
    log_error(((struct door *)ctx)->options->log, "SlurmdPort: %s", what->text);
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
        event_add(door->rest, &(struct timeval){ REST_S, 0 });
        return;
    }
    net_gate_listen(door->gate, door->fd);
}

static void on_rested(evutil_socket_t fd, short what, void *arg)
{
    (void)fd;
    (void)what;
    try_listen(arg);
}

struct door *door_new(struct event_base *base, const struct agent_options *options,
                      struct root *root, door_node_fn *fn, void *ctx)
{
    static const struct net_gate_callbacks callbacks = { on_guest, on_remark };
    struct door *door = xcalloc(1, sizeof(*door));

    *door = (struct door){
        .base = base, .options = options, .root = root, .fn = fn, .ctx = ctx, .fd = -1
    };
    door->gate = net_gate_new(base, 0, &callbacks, door);
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
    net_gate_free(door->gate);
    if (door->fd >= 0)
        close(door->fd);
    free(door);
    return NULL;
}
