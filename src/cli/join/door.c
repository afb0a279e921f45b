#include "cli/join/door.h"

#include <errno.h>
#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include <utlist.h>

#include "cli/join/desk.h"
#include "cli/join/exchange.h"
#include "common/base/clock.h"
#include "common/net/addr.h"
#include "common/net/gate.h"

struct door;

enum stage { AWAITS_HELLO, AWAITS_REQUEST, AWAITS_DESK, LEAVES };

struct caller {
    struct door *door;
    struct net_guest *place;
    struct bufferevent *stream;
    struct event *deadline; /* for all that it says; then for taking all of the answer */
    enum stage stage;
    bool has_token; /* it has proved it */
    char *address;
    struct join_exchange exchange;
    struct invitation *invitation; /* whose token it says it has, and from its request on has */
    struct caller *prev, *next;
};

struct door {
    const struct door_options *options;
    struct event_base *base;
    struct net_gate *gate;
    struct event *second;
    struct bufferevent *desk;
    struct caller *callers;
};

static struct caller *caller_free(struct caller *caller)
{
    DL_DELETE(caller->door->callers, caller);
    net_guest_leave(caller->place);
    event_free(caller->deadline);
    bufferevent_free(caller->stream);
    join_exchange_clear(&caller->exchange);
    free(caller->address);
    free(caller);
    return NULL;
}

static bool all_used(const struct door *door)
{
    for (uint32_t i = 0; i < door->options->invitations_n; i++) {
        if (!door->options->invitations[i].used)
            return false;
    }
    return true;
}

static void leave(struct caller *caller)
{
    struct door *door = caller->door;

    caller_free(caller);
    if (all_used(door) && !door->callers)
        event_base_loopbreak(door->base);
}

/* Sends what is in the stream's output, then drops the caller. */
static void leave_when_sent(struct caller *caller)
{
    caller->stage = LEAVES;
    bufferevent_disable(caller->stream, EV_READ);
    bufferevent_setwatermark(caller->stream, EV_WRITE, 0, 0);
}

/* Refuses in the clear: a caller that has proved nothing is told nothing but why. */
static void refuse(struct caller *caller, const struct err *why)
{
    AUTO(strbuf) struct strbuf body = { 0 }, out = { 0 };
    struct msg_error error = { .code = (uint32_t)why->code, .text = (char *)(uintptr_t)why->text };
    struct rpc_frame frame = { .type = MSG_ERROR, .flags = RPC_REPLY | RPC_ERROR };

    log_info(caller->door->options->log, "%s: refused: %s", caller->address, why->text);
    schema_encode(msg_error_schema(), &error, &body);
    frame.body = body.data;
    frame.body_n = (uint32_t)body.len;
    rpc_frame_encode(&frame, &out);
    leave_when_sent(caller);
    bufferevent_write(caller->stream, out.data, out.len);
}

/* ---- hello ---- */

static int find_invitation(struct caller *caller, const struct blob *name, struct err *err)
{
    const struct door_options *options = caller->door->options;

    for (uint32_t i = 0; name->n == TOKEN_NAME_N && i < options->invitations_n; i++) {
        struct invitation *invitation = &options->invitations[i];
        uint8_t its_name[TOKEN_NAME_N];

        token_name(&invitation->token, its_name);
        if (!crypt_equal(its_name, name->data, TOKEN_NAME_N))
            continue;
        if (invitation->used)
            return err_set(err, E_AUTH, "the token was used before; each is good once");
        caller->invitation = invitation;
        return 0;
    }
    return err_set(err, E_AUTH, "no such token is good here, or not any more");
}

static int on_hello(struct caller *caller, const struct rpc_frame *frame, struct err *err)
{
    AUTO(join_hello) struct join_hello hello;
    AUTO(strbuf) struct strbuf out = { 0 };
    int rc = join_read_hello(frame, &hello, err);

    if (rc == 0)
        rc = find_invitation(caller, &hello.token_name, err);
    if (rc < 0)
        return rc;
    join_exchange_init(&caller->exchange, false);
    join_say_hello(&caller->exchange, NULL, &out);
    rc = join_meet(&caller->exchange, frame, &hello, &caller->invitation->token, err);
    if (rc < 0)
        return rc;
    caller->stage = AWAITS_REQUEST;
    bufferevent_write(caller->stream, out.data, out.len);
    return 0;
}

/* ---- request ---- */

static void ask_desk(const struct caller *caller, const struct node_hardware *hardware)
{
    const struct door *door = caller->door;
    struct desk_report report;

    memset(&report, 0, sizeof(report));
    report.invitation = (uint32_t)(caller->invitation - door->options->invitations);
    report.cpus = hardware->cpus;
    report.boards = hardware->boards;
    report.sockets = hardware->sockets;
    report.cores_per_socket = hardware->cores_per_socket;
    report.threads_per_core = hardware->threads_per_core;
    report.memory_mb = hardware->memory_mb;
    bufferevent_write(door->desk, &report, sizeof(report));
}

/* Takes a request. Only who has the token can have sealed it: from here on the token is used. */
static int on_request(struct caller *caller, const struct rpc_frame *frame, struct err *err)
{
    AUTO(join_request) struct join_request request;
    struct invitation *invitation = caller->invitation;
    int rc = join_read_request(frame, &request, err);

    if (rc < 0)
        return rc;
    if (invitation->used) /* by another caller since the hello */
        return err_set(err, E_AUTH, "the token was used before; each is good once");
    if (strcmp(request.host, invitation->host) != 0)
        return err_set(err, E_AUTH, "the token is for %s, and this machine is called %s",
                       invitation->host, request.host);
    invitation->used = true;
    caller->stage = AWAITS_DESK;
    caller->has_token = true;
    event_del(caller->deadline); /* the desk has the time it needs */
    log_info(caller->door->options->log, "%s: is %s, by its token", caller->address, request.host);
    ask_desk(caller, request.hardware);
    return 0;
}

/* ---- bytes ---- */

/* Returns 1 when a message was taken, 0 when more bytes are needed. */
static int take_clear(struct caller *caller, uint8_t *bytes, size_t n, size_t *ret_taken,
                      struct err *err)
{
    struct rpc_frame frame;
    int rc = rpc_frame_decode(bytes, n, JOIN_HELLO_MAX, &frame, err);

    if (rc <= 0)
        return rc;
    *ret_taken = (size_t)rc;
    rc = on_hello(caller, &frame, err);
    return rc < 0 ? rc : 1;
}

static int take_sealed(struct caller *caller, uint8_t *bytes, size_t n, size_t *ret_taken,
                       struct err *err)
{
    struct rpc_frame frame;
    int rc = record_open(caller->exchange.open, bytes, n, JOIN_REQUEST_MAX, &frame, err);

    if (rc <= 0)
        return rc;
    *ret_taken = (size_t)rc;
    rc = on_request(caller, &frame, err);
    return rc < 0 ? rc : 1;
}

static void on_readable(struct bufferevent *stream, void *arg)
{
    struct caller *caller = arg;
    struct evbuffer *in = bufferevent_get_input(stream);
    struct err err = { 0 };
    int rc = 1;

    while (rc > 0 && evbuffer_get_length(in) > 0 && caller->stage <= AWAITS_REQUEST) {
        size_t n = evbuffer_get_length(in), taken = 0;
        uint8_t *bytes = evbuffer_pullup(in, -1);

        rc = caller->stage == AWAITS_HELLO ? take_clear(caller, bytes, n, &taken, &err)
                                           : take_sealed(caller, bytes, n, &taken, &err);
        evbuffer_drain(in, taken);
    }
    if (rc < 0)
        refuse(caller, &err);
}

static void on_written(struct bufferevent *stream, void *arg)
{
    struct caller *caller = arg;

    (void)stream;
    if (caller->stage == LEAVES)
        leave(caller);
}

static void on_ended(struct bufferevent *stream, short what, void *arg)
{
    struct caller *caller = arg;

    (void)stream;
    (void)what;
    if (caller->stage != LEAVES)
        log_info(caller->door->options->log, "%s: went away", caller->address);
    leave(caller);
}

static void on_late(evutil_socket_t fd, short what, void *arg)
{
    struct caller *caller = arg;

    (void)fd;
    (void)what;
    log_info(caller->door->options->log, "%s: did not say all in time, or take the answer",
             caller->address);
    leave(caller);
}

/* ---- the desk's answers ---- */

static struct caller *find_served(const struct door *door, uint32_t invitation)
{
    for (struct caller *at = door->callers; at; at = at->next) {
        if (at->stage == AWAITS_DESK && at->invitation == &door->options->invitations[invitation])
            return at;
    }
    return NULL;
}

static void serve(struct caller *caller, const uint8_t *body, uint32_t n)
{
    AUTO(strbuf) struct strbuf out = { 0 };
    struct err err = { 0 };

    if (n == 0) {
        err_set(&err, EIO, "the head cannot read its key or configuration; its log has more");
        refuse(caller, &err);
        return;
    }
    join_seal(&caller->exchange, MSG_JOIN_ANSWER, body, n, &out);
    log_info(caller->door->options->log, "%s: %s has key and configuration", caller->address,
             caller->invitation->host);
    event_add(caller->deadline, &(struct timeval){ DOOR_PATIENCE_S, 0 });
    leave_when_sent(caller);
    bufferevent_write(caller->stream, out.data, out.len);
}

static void on_desk(struct bufferevent *desk, void *arg)
{
    struct door *door = arg;
    struct evbuffer *in = bufferevent_get_input(desk);
    struct desk_answer head;

    while (evbuffer_copyout(in, &head, sizeof(head)) == sizeof(head) &&
           evbuffer_get_length(in) >= sizeof(head) + head.n) {
        struct caller *caller = find_served(door, head.invitation);
        uint8_t *all = evbuffer_pullup(in, (ev_ssize_t)(sizeof(head) + head.n));

        if (caller)
            serve(caller, all + sizeof(head), head.n);
        wipe(all + sizeof(head), head.n);
        evbuffer_drain(in, sizeof(head) + head.n);
    }
}

static void on_desk_gone(struct bufferevent *desk, short what, void *arg)
{
    const struct door *door = arg;

    (void)desk;
    (void)what;
    event_base_loopbreak(door->base);
}

/* ---- who comes ---- */

/* Tells the gate that a caller who has proved a token may finish: the token is used now. */
static enum net_silence silence_of(const void *owner)
{
    const struct caller *caller = owner;

    if (caller->has_token)
        return GATE_WORKS;
    return caller->stage == AWAITS_HELLO ? GATE_SAID_NOTHING : GATE_HAS_SPOKEN;
}

static void on_evicted(void *owner)
{
    leave(owner);
}

static char *address_of(int fd)
{
    struct net_addr addr = { .n = sizeof(addr.storage) };

    return getpeername(fd, (struct sockaddr *)&addr.storage, &addr.n) == 0
               ? net_addr_text(&addr)
               : xstrdup("one that is gone");
}

static void on_guest(struct net_guest *place, int fd, void *ctx)
{
    static const struct net_owner kind = { silence_of, on_evicted };
    struct door *door = ctx;
    struct caller *caller = xcalloc(1, sizeof(*caller));

    caller->door = door;
    caller->place = place;
    net_guest_own(place, &kind, caller);
    caller->address = address_of(fd);
    caller->stream = bufferevent_socket_new(door->base, fd, BEV_OPT_CLOSE_ON_FREE);
    bufferevent_setcb(caller->stream, on_readable, on_written, on_ended, caller);
    bufferevent_setwatermark(caller->stream, EV_READ, 0,
                             JOIN_REQUEST_MAX + RECORD_EXTRA + RPC_FRAME_HEADER);
    bufferevent_enable(caller->stream, EV_READ | EV_WRITE);
    caller->deadline = evtimer_new(door->base, on_late, caller);
    event_add(caller->deadline, &(struct timeval){ DOOR_PATIENCE_S, 0 });
    DL_APPEND(door->callers, caller);
}

static void on_remark(const struct err *what, void *ctx)
{
    log_error(((struct door *)ctx)->options->log, "%s", what->text);
}

static void on_second(evutil_socket_t fd, short what, void *arg)
{
    struct door *door = arg;

    (void)fd;
    (void)what;
    if (clock_mono_ms() >= door->options->until_ms)
        event_base_loopbreak(door->base);
}

static void open_door(struct door *door)
{
    static const struct net_gate_callbacks callbacks = { on_guest, on_remark };
    const struct door_options *options = door->options;

    door->base = event_base_new();
    door->gate = net_gate_new(door->base, DOOR_CALLERS, &callbacks, door);
    door->second = event_new(door->base, -1, EV_PERSIST, on_second, door);
    door->desk = bufferevent_socket_new(door->base, options->desk_fd, 0);
    bufferevent_setcb(door->desk, on_desk, NULL, on_desk_gone, door);
    bufferevent_enable(door->desk, EV_READ | EV_WRITE);
    net_gate_listen(door->gate, options->listen_fd);
    event_add(door->second, &(struct timeval){ 1, 0 });
}

void door_run(const struct door_options *options)
{
    struct door door = { .options = options };

    open_door(&door);
    event_base_dispatch(door.base);
    while (door.callers)
        caller_free(door.callers);
    bufferevent_free(door.desk);
    net_gate_free(door.gate);
    event_free(door.second);
    event_base_free(door.base);
}
