/*
 * session_doubles.h - what stands between a program and its peers while it is fuzzed behind the
 * handshake: sessions without sockets, and a clock that goes when told. The linker takes these
 * instead of the library's, so nothing here waits for the kernel.
 */
#pragma once

#include <event2/event.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "common/msg/common.h"
#include "common/msg/types.h"
#include "common/rpc/session.h"
#include "tape.h"

/* A daemon that says what nobody can read, or keeps what it could not load, is wrong. */
#define FUZZ_CHECK(condition)                                                                      \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);                \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

/* ---- time ---- */

static int64_t double_mono_us, double_wall_ms;

struct clock clock_from_env(void)
{
    return (struct clock){ 0 };
}

int64_t clock_wall_ms(const struct clock *clock)
{
    return double_wall_ms + clock->skew_s * 1000;
}

int64_t clock_wall_s(const struct clock *clock)
{
    return clock_wall_ms(clock) / 1000;
}

int64_t clock_mono_ms(void)
{
    return double_mono_us / 1000;
}

uint64_t clock_mono_us(void)
{
    return (uint64_t)++double_mono_us;
}

/* ---- sessions ---- */

struct rpc_session {
    struct rpc_peer peer;
    struct rpc_callbacks callbacks;
    void *ctx;
    struct rpc_options options; /* of one that was made by rpc_session_new */
    bool is_taken;              /* the same */
    bool is_open, is_closing, is_paused;
    bool is_slow; /* takes nothing of what it is sent */
    size_t backlog;
    bool was_above;
    uint64_t frames_n; /* sent to it */
};

/* The first to be written to in the story: what its node is ordered is remembered. */
static void (*double_on_sent)(struct rpc_session *session, uint32_t type, const void *body,
                              uint32_t n);

const char *rpc_role_name(enum rpc_role role)
{
    (void)role;
    return "role";
}

const char *rpc_session_name(const struct rpc_session *session)
{
    (void)session;
    return "10.0.0.7:6817";
}

const struct rpc_peer *rpc_session_peer(const struct rpc_session *session)
{
    return &session->peer;
}

bool rpc_session_is_ready(const struct rpc_session *session)
{
    return session->is_open;
}

bool rpc_session_is_alive(const struct rpc_session *session)
{
    return !session->is_slow;
}

size_t rpc_session_backlog(const struct rpc_session *session)
{
    return session->backlog;
}

void rpc_session_set_callbacks(struct rpc_session *session, const struct rpc_callbacks *callbacks,
                               void *ctx)
{
    session->callbacks = *callbacks;
    session->ctx = ctx;
}

void rpc_session_pause(struct rpc_session *session)
{
    session->is_paused = true;
}

void rpc_session_resume(struct rpc_session *session)
{
    session->is_paused = false;
}

void rpc_session_close(struct rpc_session *session, const char *reason)
{
    (void)reason;
    session->is_closing = true;
}

struct rpc_session *rpc_session_free(struct rpc_session *session)
{
    if (session) {
        session->is_open = session->is_closing = session->is_taken = false;
        session->backlog = 0;
    }
    return NULL;
}

int rpc_send_bytes(struct rpc_session *session, uint32_t type, uint32_t request, uint32_t flags,
                   const void *body, uint32_t n)
{
    (void)request;
    FUZZ_CHECK(n <= RPC_BODY_MAX && (flags & ~(uint32_t)RPC_FLAGS_ALL) == 0);
    if (!session->is_open || session->is_closing)
        return -E_CLOSED;
    session->frames_n++;
    if (session->is_slow)
        session->backlog += n + RPC_FRAME_HEADER;
    session->was_above |= session->backlog > RPC_LOW_WATER;
    if (session->backlog > RPC_BACKLOG_MAX)
        session->is_closing = true;
    if (double_on_sent)
        double_on_sent(session, type, body, n);
    return 0;
}

int rpc_send(struct rpc_session *session, uint32_t type, uint32_t request, uint32_t flags,
             const void *msg)
{
    AUTO(strbuf) struct strbuf body = { 0 };

    if (msg)
        schema_encode(msg_schema(type), msg, &body);
    return rpc_send_bytes(session, type, request, flags, body.data, (uint32_t)body.len);
}

int rpc_send_error(struct rpc_session *session, uint32_t request, int code, const char *text)
{
    (void)code;
    (void)text;
    return rpc_send(session, MSG_ERROR, request, RPC_REPLY | RPC_ERROR, NULL);
}

int rpc_refuse_unknown(struct rpc_session *session, const struct rpc_frame *frame)
{
    return rpc_send_error(session, frame->request, E_UNKNOWN_MESSAGE, NULL);
}

int rpc_decode(const struct rpc_frame *frame, const struct schema *schema, void *ret_msg,
               struct err *err)
{
    return schema_decode(schema, frame->body, frame->body_n, ret_msg, err);
}

/* ---- sessions that the program opens or takes by itself ---- */

#define DOUBLE_SESSIONS_MAX 48

static struct rpc_session double_sessions[DOUBLE_SESSIONS_MAX];

/* Owns the descriptor, and has no use for it. */
struct rpc_session *rpc_session_new(struct event_base *base, int fd, bool initiator,
                                    const struct rpc_options *options,
                                    const struct rpc_callbacks *callbacks, void *ctx)
{
    struct rpc_session *session = double_sessions;

    (void)base;
    (void)initiator;
    while (session->is_taken)
        session++;
    FUZZ_CHECK(session < double_sessions + DOUBLE_SESSIONS_MAX);
    *session = (struct rpc_session){
        .options = *options, .callbacks = *callbacks, .ctx = ctx, .is_taken = true
    };
    close(fd);
    return session;
}

enum net_silence rpc_session_silence(const struct rpc_session *session)
{
    return session->is_open ? GATE_WORKS : GATE_SAID_NOTHING;
}

int rpc_decode_error(const struct rpc_frame *frame, struct err *ret_err)
{
    AUTO(msg_error) struct msg_error error;

    msg_error_init(&error);
    if (schema_decode(msg_error_schema(), frame->body, frame->body_n, &error, ret_err) < 0)
        return ret_err ? -ret_err->code : -E_PROTO;
    return err_set(ret_err, error.code ? (int)(error.code & 0x7fffffff) : E_PROTO, "%s",
                   error.text ? error.text : "");
}

static inline void double_end_session(struct rpc_session *session, int code)
{
    struct err why = { 0 };

    err_set(&why, code, "closed");
    if (!session->is_taken)
        return;
    session->is_closing = true;
    if (session->callbacks.on_closed)
        session->callbacks.on_closed(session, &why, session->ctx);
}

/* The handshake is over: `peer` is who it is. */
static inline void double_open_session(struct rpc_session *session, const struct rpc_peer *peer)
{
    struct err why = { 0 };

    if (!session->is_taken || session->is_open || session->is_closing)
        return;
    session->peer = *peer;
    if (session->options.accept_peer &&
        !session->options.accept_peer(peer, session->options.ctx, &why)) {
        double_end_session(session, E_ACCESS);
        return;
    }
    session->is_open = true;
    if (session->callbacks.on_ready)
        session->callbacks.on_ready(session, session->ctx);
}

static inline void double_deliver(struct rpc_session *session, uint32_t type, uint32_t request,
                                  uint32_t flags, const void *body, size_t n)
{
    const struct rpc_frame frame = {
        .type = type, .request = request, .flags = flags, .body = body, .body_n = (uint32_t)n
    };

    if (session->is_taken && session->is_open && !session->is_closing && !session->is_paused &&
        n <= RPC_BODY_MAX && session->callbacks.on_frame)
        session->callbacks.on_frame(session, &frame, session->ctx);
}

/* What was closed is over, as the loop would have it. */
static inline void double_settle_sessions(void)
{
    for (uint32_t i = 0; i < DOUBLE_SESSIONS_MAX; i++)
        if (double_sessions[i].is_taken && double_sessions[i].is_closing)
            double_end_session(&double_sessions[i], E_CLOSED);
}

/* Reads, or does not. */
static inline void double_let_read(struct rpc_session *session, bool reads)
{
    if (!session->is_taken || !session->is_open || session->is_closing)
        return;
    session->is_slow = !reads;
    if (!reads)
        return;
    session->backlog = 0;
    if (session->was_above && session->callbacks.on_drained) {
        session->was_above = false;
        session->callbacks.on_drained(session, session->ctx);
    }
}

/* ---- timers: one of those that wait is due ---- */

#define DOUBLE_TIMERS_MAX 32

struct double_timers {
    struct event *timers[DOUBLE_TIMERS_MAX];
    uint32_t n;
};

static inline int double_note_timer(const struct event_base *base, const struct event *event,
                                    void *arg)
{
    struct double_timers *timers = arg;

    (void)base;
    if (event_get_fd(event) < 0 && timers->n < DOUBLE_TIMERS_MAX)
        timers->timers[timers->n++] = (struct event *)(uintptr_t)event;
    return 0;
}

static inline void double_fire_timer(struct event_base *base, uint32_t which)
{
    struct double_timers timers = { .n = 0 };

    event_base_foreach_event(base, double_note_timer, &timers);
    if (timers.n)
        event_active(timers.timers[which % timers.n], EV_TIMEOUT, 1);
}

/* ---- what is said: messages as they are, with fields changed, made up, or with bytes changed ----
 */

typedef void double_make_fn(struct tape *tape, void *msg);

struct double_usual {
    uint32_t type;
    double_make_fn *make;
};

static inline void double_spoil(struct tape *tape, struct strbuf *body)
{
    uint32_t cuts = 1 + tape_below(tape, 4);

    while (body->len > 0 && cuts-- > 0)
        body->data[(tape_next(tape) | (size_t)tape_next(tape) << 8) % body->len] ^=
            (char)(1 + tape_next(tape));
    if (tape_below(tape, 8) == 0 && body->len > 0)
        body->len = tape_next(tape) % body->len;
}

/* The body of one message of the table; its type is returned. */
static inline uint32_t double_speak(struct tape *tape, const struct double_usual *rows,
                                    uint32_t rows_n, struct strbuf *body)
{
    const uint32_t how = tape_below(tape, 8);
    const struct double_usual *row = &rows[tape_below(tape, rows_n)];
    const struct schema *schema = msg_schema(row->type);
    AUTO_FREE void *msg = schema ? xcalloc(1, schema->size) : NULL;

    if (!schema)
        return row->type;
    schema_init(schema, msg);
    if (how < 6 && row->make)
        row->make(tape, msg);
    else
        tape_message(tape, schema, msg, 0);
    for (uint32_t changes = how < 3 ? 0 : tape_below(tape, 4); changes > 0 && row->make; changes--)
        tape_change(tape, schema, msg);
    schema_encode(schema, msg, body);
    schema_clear(schema, msg);
    if (how == 7)
        double_spoil(tape, body);
    return row->type;
}
