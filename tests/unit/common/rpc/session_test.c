#include "unit/common/rpc/pair.h"

/* Tests with LOOP_CASE(.., 2) run on a Unix socket (0) and over TCP (1). */

START_TEST(both_sides_learn_who_the_other_is)
{
    struct pair pair;
    const struct rpc_peer *a, *b;

    pair_init(&pair, _i);
    pair.a.options.role = RPC_ROLE_NODE;
    pair.a.options.node = "worker-1";

    pair_ready(&pair);

    a = rpc_session_peer(pair.b.session);
    b = rpc_session_peer(pair.a.session);
    ck_assert_uint_eq(a->role, RPC_ROLE_NODE);
    ck_assert_str_eq(a->node, "worker-1");
    ck_assert_uint_eq(b->role, RPC_ROLE_CONTROLLER);
    ck_assert_ptr_null(b->node);
    ck_assert_str_eq(b->version, SLUICE_VERSION);
    ck_assert(a->is_local == !_i);
    ck_assert_uint_eq(a->uid, _i ? 77 : getuid());
    if (_i)
        ck_assert_str_eq(a->address, "127.0.0.1");
    else
        ck_assert_int_eq(a->pid, getpid());
    pair_clear(&pair);
}
END_TEST

START_TEST(a_message_arrives_as_it_was_sent)
{
    struct pair pair;
    struct msg_ok sent = { .text = (char *)(uintptr_t) "hello" };
    AUTO(msg_ok) struct msg_ok got;
    struct rpc_frame frame;

    pair_init(&pair, _i);
    pair_ready(&pair);

    ck_assert_int_eq(rpc_send(pair.a.session, MSG_OK, 42, RPC_REPLY, &sent), 0);
    PAIR_UNTIL(&pair, pair.b.frames);

    frame = (struct rpc_frame){ .body = pair.b.bodies.data, .body_n = (uint32_t)pair.b.bodies.len };
    ck_assert_int_eq(rpc_decode(&frame, msg_ok_schema(), &got, NULL), 0);
    ck_assert_str_eq(got.text, "hello");
    ck_assert_uint_eq(pair.b.last_type, MSG_OK);
    ck_assert_uint_eq(pair.b.last_request, 42);
    ck_assert_uint_eq(pair.b.last_flags, RPC_REPLY);
    pair_clear(&pair);
}
END_TEST

START_TEST(what_is_too_big_is_refused_and_the_rest_goes_on)
{
    struct pair pair;
    AUTO_FREE uint8_t *body = xcalloc(1, RPC_BODY_MAX + 1);

    pair_init(&pair, _i);
    pair_ready(&pair);

    ck_assert_int_eq(rpc_send_bytes(pair.a.session, MSG_PING, 1, 0, body, RPC_BODY_MAX + 1),
                     -E_TOO_BIG);
    ck_assert_int_eq(rpc_send_bytes(pair.a.session, MSG_PING, 2, 0, body, RPC_BODY_MAX), 0);
    PAIR_UNTIL(&pair, pair.b.frames == 1);

    ck_assert_uint_eq(pair.b.bodies.len, RPC_BODY_MAX);
    pair_clear(&pair);
}
END_TEST

/* Over TCP this crosses a change of keys in both directions. */
#define MANY 70000

static void send_back(struct rpc_session *session, const struct rpc_frame *frame, void *ctx)
{
    ck_assert_uint_eq(frame->request, (uint32_t)((struct side *)ctx)->frames++);
    rpc_send_bytes(session, frame->type, frame->request, RPC_REPLY, frame->body, frame->body_n);
}

START_TEST(many_messages_arrive_in_order)
{
    struct pair pair;
    uint32_t sent = 0;

    pair_init(&pair, _i);
    pair.b.callbacks.on_frame = send_back;
    pair_ready(&pair);
    while (sent < MANY) {
        for (int i = 0; i < 1000; i++, sent++)
            ck_assert_int_eq(rpc_send(pair.a.session, MSG_PING, sent, 0, NULL), 0);
        PAIR_UNTIL(&pair, pair.a.frames == (int)sent);
    }

    ck_assert_uint_eq(pair.a.last_request, MANY - 1);
    pair_clear(&pair);
}
END_TEST

START_TEST(a_producer_is_told_when_to_go_on)
{
    struct pair pair;
    AUTO_FREE uint8_t *body = xcalloc(1, RPC_LOW_WATER);

    pair_init(&pair, _i);
    pair_ready(&pair);
    while (rpc_session_backlog(pair.a.session) < RPC_HIGH_WATER)
        rpc_send_bytes(pair.a.session, MSG_PING, 1, 0, body, RPC_LOW_WATER);
    PAIR_UNTIL(&pair, pair.a.drained);

    ck_assert_uint_le(rpc_session_backlog(pair.a.session), RPC_LOW_WATER);
    ck_assert_int_eq(pair.a.drained, 1);
    pair_clear(&pair);
}
END_TEST

START_TEST(a_slow_reader_is_cut_with_a_reason)
{
    struct pair pair;
    AUTO_FREE uint8_t *body = xcalloc(1, 100000);
    int rc = 0;

    pair_init(&pair, _i);
    pair.a.options.backlog_max = 1000000;
    pair_ready(&pair);
    rpc_session_pause(pair.b.session);
    for (int i = 0; i < 1000 && rc == 0; i++) {
        rc = rpc_send_bytes(pair.a.session, MSG_PING, 1, 0, body, 100000);
        event_base_loop(pair.base, EVLOOP_NONBLOCK);
    }
    ck_assert_int_eq(rc, -E_CLOSED);
    PAIR_UNTIL(&pair, pair.a.closed);

    ck_assert_ptr_nonnull(strstr(pair.a.why.text, "reads too slowly: "));
    ck_assert_ptr_nonnull(strstr(pair.a.why.text, "at most 1000000 may"));
    pair_clear(&pair);
}
END_TEST

START_TEST(a_paused_session_keeps_what_arrives)
{
    struct pair pair;

    pair_init(&pair, _i);
    pair_ready(&pair);
    rpc_session_pause(pair.b.session);
    for (uint32_t i = 1; i <= 10; i++)
        rpc_send(pair.a.session, MSG_PING, i, 0, NULL);
    rpc_session_close(pair.a.session, NULL);
    for (int i = 0; i < 10; i++)
        event_base_loop(pair.base, EVLOOP_NONBLOCK);
    ck_assert_int_eq(pair.b.frames, 0);
    ck_assert_int_eq(pair.b.closed, 0);

    rpc_session_resume(pair.b.session);
    PAIR_UNTIL(&pair, pair.b.closed);

    ck_assert_int_eq(pair.b.frames, 10);
    ck_assert_uint_eq(pair.b.last_request, 10);
    pair_clear(&pair);
}
END_TEST

static void pause_after_each(struct rpc_session *session, const struct rpc_frame *frame, void *ctx)
{
    side_on_frame(session, frame, ctx);
    rpc_session_pause(session);
}

START_TEST(a_pause_in_a_handler_holds_at_once)
{
    struct pair pair;

    pair_init(&pair, _i);
    pair.b.callbacks.on_frame = pause_after_each;
    pair_ready(&pair);
    for (uint32_t i = 1; i <= 3; i++)
        rpc_send(pair.a.session, MSG_PING, i, 0, NULL);

    for (int i = 1; i <= 3; i++) {
        PAIR_UNTIL(&pair, pair.b.frames == i);
        event_base_loop(pair.base, EVLOOP_NONBLOCK);
        ck_assert_int_eq(pair.b.frames, i);
        rpc_session_resume(pair.b.session);
    }
    pair_clear(&pair);
}
END_TEST

START_TEST(closing_sends_what_is_queued_and_why)
{
    struct pair pair;
    AUTO_FREE uint8_t *body = xcalloc(1, 1000000);

    pair_init(&pair, _i);
    pair_ready(&pair);
    for (int i = 0; i < 5; i++)
        rpc_send_bytes(pair.a.session, MSG_PING, 1, 0, body, 1000000);
    rpc_session_close(pair.a.session, "time to go");
    ck_assert_int_eq(rpc_send(pair.a.session, MSG_PING, 1, 0, NULL), -E_CLOSED);
    PAIR_UNTIL(&pair, pair.a.closed && pair.b.closed);

    ck_assert_int_eq(pair.b.frames, 5);
    ck_assert_int_eq(pair.b.why.code, E_CLOSED);
    ck_assert_ptr_nonnull(strstr(pair.b.why.text, "closed the connection: time to go"));
    ck_assert_ptr_nonnull(strstr(pair.a.why.text, "time to go"));
    pair_clear(&pair);
}
END_TEST

START_TEST(a_peer_that_vanishes_is_noticed)
{
    struct pair pair;

    pair_init(&pair, _i);
    pair_ready(&pair);
    pair.b.session = rpc_session_free(pair.b.session);
    PAIR_UNTIL(&pair, pair.a.closed);

    ck_assert_int_eq(pair.a.why.code, E_CLOSED);
    ck_assert_int_eq(pair.b.closed, 0);
    pair_clear(&pair);
}
END_TEST

START_TEST(a_frame_that_breaks_the_rules_ends_the_session_on_both_sides)
{
    struct pair pair;
    static const char bad[] = "\xff\xff\xff\xff\0\x14\0\0\0\0\0\0";

    pair_init(&pair, false);
    pair_ready(&pair);
    ck_assert_int_eq(send(pair.fd[0], bad, 12, 0), 12);
    PAIR_UNTIL(&pair, pair.a.closed && pair.b.closed);

    ck_assert_int_eq(pair.b.why.code, E_TOO_BIG);
    ck_assert_int_eq(pair.a.why.code, E_TOO_BIG);
    ck_assert_ptr_nonnull(strstr(pair.a.why.text, "message of 4294967295 bytes"));
    pair_clear(&pair);
}
END_TEST

START_TEST(an_unknown_type_is_answered)
{
    struct pair pair;
    struct rpc_frame frame = { .type = 9999, .request = 5 };
    struct err err = { 0 };

    pair_init(&pair, _i);
    pair_ready(&pair);
    rpc_refuse_unknown(pair.b.session, &frame);
    PAIR_UNTIL(&pair, pair.a.frames);

    ck_assert_uint_eq(pair.a.last_type, MSG_ERROR);
    ck_assert_uint_eq(pair.a.last_flags, RPC_REPLY | RPC_ERROR);
    frame = (struct rpc_frame){ .body = pair.a.bodies.data, .body_n = (uint32_t)pair.a.bodies.len };
    ck_assert_int_eq(rpc_decode_error(&frame, &err), -E_UNKNOWN_MESSAGE);
    ck_assert_ptr_nonnull(strstr(err.text, "message type 9999"));
    pair_clear(&pair);
}
END_TEST

/* ---- freeing where it hurts ---- */

static void free_in_ready(struct rpc_session *session, void *ctx)
{
    ((struct side *)ctx)->ready++;
    ((struct side *)ctx)->session = rpc_session_free(session);
}

static void free_in_frame(struct rpc_session *session, const struct rpc_frame *frame, void *ctx)
{
    side_on_frame(session, frame, ctx);
    ((struct side *)ctx)->session = rpc_session_free(session);
}

static void free_in_drained(struct rpc_session *session, void *ctx)
{
    ((struct side *)ctx)->drained++;
    ((struct side *)ctx)->session = rpc_session_free(session);
}

static void free_in_closed(struct rpc_session *session, const struct err *why, void *ctx)
{
    side_on_closed(session, why, ctx);
    ((struct side *)ctx)->session = rpc_session_free(session);
}

START_TEST(a_session_may_be_freed_in_any_callback)
{
    struct pair pair;
    AUTO_FREE uint8_t *body = xcalloc(1, RPC_HIGH_WATER);

    pair_init(&pair, _i % 2);
    if (_i / 2 == 0)
        pair.b.callbacks.on_ready = free_in_ready;
    if (_i / 2 == 1)
        pair.b.callbacks.on_frame = free_in_frame;
    if (_i / 2 == 2)
        pair.b.callbacks.on_drained = free_in_drained;
    pair.a.callbacks.on_closed = free_in_closed;
    pair_start(&pair);
    PAIR_UNTIL(&pair, pair.b.ready);
    if (pair.b.session)
        rpc_send_bytes(pair.b.session, MSG_PING, 1, 0, body, RPC_HIGH_WATER);
    if (_i / 2 == 1) {
        PAIR_UNTIL(&pair, pair.a.ready);
        rpc_send(pair.a.session, MSG_PING, 1, 0, NULL);
        rpc_send(pair.a.session, MSG_PING, 2, 0, NULL);
    }
    PAIR_UNTIL(&pair, pair.a.closed);

    ck_assert_ptr_null(pair.a.session);
    ck_assert_ptr_null(pair.b.session);
    ck_assert_int_le(pair.b.frames, 1);
    ck_assert_int_eq(pair.b.closed, 0);
    pair_clear(&pair);
}
END_TEST

/* ---- heartbeats ---- */

START_TEST(a_peer_without_a_sign_of_life_is_given_up)
{
    struct pair pair;

    pair_init(&pair, _i);
    pair.a.options.heartbeat_ms = 20;
    pair_ready(&pair);
    rpc_session_pause(pair.b.session); /* neither reads nor beats */
    PAIR_UNTIL(&pair, pair.a.closed);

    ck_assert_int_eq(pair.a.why.code, E_TIMEOUT);
    ck_assert_ptr_nonnull(strstr(pair.a.why.text, "no sign of life for 0.060 s"));
    pair_clear(&pair);
}
END_TEST

static const struct {
    uint32_t a_ms, b_ms;
} beats[] = { { 100, 0 }, { 0, 100 }, { 100, 100 }, { 100, 60000 }, { 60000, 100 } };

static void on_time(evutil_socket_t fd, short what, void *arg)
{
    (void)fd;
    (void)what;
    *(bool *)arg = true;
}

START_TEST(heartbeats_keep_an_idle_session)
{
    struct pair pair;
    bool over = false;

    pair_init(&pair, _i % 2);
    pair.a.options.heartbeat_ms = beats[_i / 2].a_ms;
    pair.b.options.heartbeat_ms = beats[_i / 2].b_ms;
    pair_ready(&pair);
    event_base_once(pair.base, -1, EV_TIMEOUT, on_time, &over, &(struct timeval){ 0, 700000 });
    PAIR_UNTIL(&pair, over);

    ck_assert_int_eq(pair.a.closed + pair.b.closed, 0);
    ck_assert_int_eq(pair.a.frames + pair.b.frames, 0);
    pair_clear(&pair);
}
END_TEST

CHECK_MAIN(session, LOOP_CASE(both_sides_learn_who_the_other_is, 2),
           LOOP_CASE(a_message_arrives_as_it_was_sent, 2),
           LOOP_CASE(what_is_too_big_is_refused_and_the_rest_goes_on, 2),
           LOOP_CASE(many_messages_arrive_in_order, 2),
           LOOP_CASE(a_producer_is_told_when_to_go_on, 2),
           LOOP_CASE(a_slow_reader_is_cut_with_a_reason, 2),
           LOOP_CASE(a_paused_session_keeps_what_arrives, 2),
           LOOP_CASE(a_pause_in_a_handler_holds_at_once, 2),
           LOOP_CASE(closing_sends_what_is_queued_and_why, 2),
           LOOP_CASE(a_peer_that_vanishes_is_noticed, 2),
           CASE(a_frame_that_breaks_the_rules_ends_the_session_on_both_sides),
           LOOP_CASE(an_unknown_type_is_answered, 2),
           LOOP_CASE(a_session_may_be_freed_in_any_callback, 6),
           LOOP_CASE(a_peer_without_a_sign_of_life_is_given_up, 2),
           LOOP_CASE(heartbeats_keep_an_idle_session, 2 * ARRAY_N(beats)))
