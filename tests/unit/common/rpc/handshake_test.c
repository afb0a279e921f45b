/* Who is let in, who is not, and what both sides then say. 0 is a Unix socket, 1 is TCP. */
#include <errno.h>

#include "unit/common/rpc/relay.h"

static void until_both_closed(struct pair *pair)
{
    PAIR_UNTIL(pair, pair->a.closed && pair->b.closed);
    ck_assert_int_eq(pair->a.ready + pair->b.ready, 0);
    ck_assert_int_eq(pair->a.closed, 1);
    ck_assert_int_eq(pair->b.closed, 1);
}

static void assert_says(const struct side *side, const char *words)
{
    ck_assert_msg(strstr(side->why.text, words), "'%s' without '%s'", side->why.text, words);
}

START_TEST(another_cluster_is_refused_by_name)
{
    struct pair pair;

    pair_init(&pair, _i);
    pair.b.options.cluster = "prod";
    pair_start(&pair);
    until_both_closed(&pair);

    for (int i = 0; i < 2; i++) {
        assert_says(i ? &pair.a : &pair.b, "ClusterName differs: lab where the connection comes "
                                           "from, prod where it goes to");
        ck_assert_int_eq((i ? &pair.a : &pair.b)->why.code, E_AUTH);
    }
    pair_clear(&pair);
}
END_TEST

static bool only_nodes(const struct rpc_peer *peer, void *ctx, struct err *err)
{
    (void)ctx;
    if (peer->role != RPC_ROLE_NODE)
        err_set(err, E_ACCESS, "only nodes are served here, not a %s", rpc_role_name(peer->role));
    return peer->role == RPC_ROLE_NODE;
}

START_TEST(an_unwelcome_role_is_told_so)
{
    struct pair pair;

    pair_init(&pair, _i);
    pair.b.options.accept_peer = only_nodes;
    pair_start(&pair);
    until_both_closed(&pair);

    assert_says(&pair.b, "only nodes are served here, not a client");
    assert_says(&pair.a, "refused the connection: only nodes are served here");
    ck_assert_int_eq(pair.a.why.code, E_ACCESS);
    pair_clear(&pair);
}
END_TEST

START_TEST(without_a_hook_only_root_and_self_are_accepted)
{
    struct pair pair;

    pair_init(&pair, _i);
    pair.b.options.accept_peer = NULL;
    pair.a.uid = getuid() + 1;
    pair_start(&pair);
    if (!_i) {
        PAIR_UNTIL(&pair, pair.a.ready && pair.b.ready);
    } else {
        until_both_closed(&pair);
        assert_says(&pair.b, "as client is not accepted here");
    }
    pair_clear(&pair);
}
END_TEST

START_TEST(another_key_is_named_on_both_sides)
{
    struct pair pair;

    pair_init(&pair, true);
    pair.a.key = "apple";
    pair.b.key = "bread";
    pair_start(&pair);
    until_both_closed(&pair);

    assert_says(&pair.a, "fingerprint here print-of-apple, there print-of-bread");
    assert_says(&pair.b, "fingerprint here print-of-bread, there print-of-apple");
    ck_assert_int_eq(pair.a.why.code, E_KEY_MISMATCH);
    ck_assert_int_eq(pair.b.why.code, E_KEY_MISMATCH);
    pair_clear(&pair);
}
END_TEST

/* The credential of the one that is altered does not verify under the key that both have. */
START_TEST(an_altered_credential_is_not_told_as_another_key)
{
    struct pair pair;
    const struct side *checks;

    pair_init(&pair, true);
    checks = _i ? &pair.a : &pair.b;
    err_set(_i ? &pair.a.check_error : &pair.b.check_error, E_KEY_MISMATCH, "does not verify");
    pair_start(&pair);
    until_both_closed(&pair);

    assert_says(&pair.a, "a credential was altered or damaged on its way");
    assert_says(&pair.b, "a credential was altered or damaged on its way");
    assert_says(checks, "both hosts have the same key (munge.key, fingerprint print-of-key)");
    ck_assert_ptr_null(strstr(checks->why.text, "different"));
    ck_assert_int_eq(pair.a.why.code, E_AUTH);
    ck_assert_int_eq(pair.b.why.code, E_AUTH);
    pair_clear(&pair);
}
END_TEST

static int seconds_told(const char *text)
{
    static const char before[] = "differ by ";
    const char *found = strstr(text, before);

    return found ? atoi(found + strlen(before)) : 0;
}

START_TEST(clocks_too_far_apart_are_said_with_the_difference)
{
    struct pair pair;

    pair_init(&pair, true);
    pair.a.options.clock.skew_s = 400;
    err_set(&pair.b.check_error, E_CLOCK_SKEW, "credential from the future");
    pair_start(&pair);
    until_both_closed(&pair);

    assert_says(&pair.a, "clocks of the two hosts differ by ");
    assert_says(&pair.b, "(127.0.0.1 is ahead)");
    ck_assert_int_le(seconds_told(pair.b.why.text), 400);
    ck_assert_int_gt(seconds_told(pair.b.why.text), 340); /* what was said needed some time */
    ck_assert_int_eq(pair.a.why.code, E_CLOCK_SKEW);
    ck_assert_int_eq(pair.b.why.code, E_CLOCK_SKEW);
    pair_clear(&pair);
}
END_TEST

START_TEST(a_side_without_an_authd_tells_the_other)
{
    struct pair pair;
    struct side *without, *other;

    pair_init(&pair, true);
    without = _i ? &pair.a : &pair.b;
    other = _i ? &pair.b : &pair.a;
    err_set(&without->make_error, ECONNREFUSED, "authd at /run/x: Connection refused");
    pair_start(&pair);
    until_both_closed(&pair);

    assert_says(without, "no credential can be made on this side: authd at /run/x");
    assert_says(other, "authd at /run/x: Connection refused");
    pair_clear(&pair);
}
END_TEST

START_TEST(two_initiators_do_not_accept_one_another)
{
    struct pair pair;

    pair_init(&pair, _i);
    pair_start_a(&pair);
    pair.b.session =
        rpc_session_new(pair.base, pair.fd[1], true, &pair.b.options, &pair.b.callbacks, &pair.b);
    until_both_closed(&pair);
    pair_clear(&pair);
}
END_TEST

START_TEST(a_reflection_is_not_mistaken_for_a_peer)
{
    struct pair pair;
    struct relay relay;

    pair_init(&pair, true);
    relay_init(&relay, &pair);
    relay.reflects = true;
    pair_start_a(&pair);
    PAIR_UNTIL(&pair, pair.a.closed);

    ck_assert_int_eq(pair.a.ready, 0);
    pair_clear(&pair);
    close(pair.fd[1]);
    relay_clear(&relay);
}
END_TEST

START_TEST(a_local_reflection_is_not_mistaken_for_a_peer)
{
    struct pair pair;
    char bytes[4096];
    ssize_t n;

    pair_init(&pair, false);
    pair_start_a(&pair);
    event_base_loop(pair.base, EVLOOP_ONCE);
    n = recv(pair.fd[1], bytes, sizeof(bytes), 0);
    ck_assert_int_gt(n, 0);
    ck_assert_int_eq(send(pair.fd[1], bytes, (size_t)n, 0), n);
    PAIR_UNTIL(&pair, recv(pair.fd[1], bytes, sizeof(bytes), MSG_DONTWAIT) > 0);
    close(pair.fd[1]);
    PAIR_UNTIL(&pair, pair.a.closed);

    assert_says(&pair.a, "a reflection");
    pair_clear(&pair);
}
END_TEST

START_TEST(one_byte_at_a_time_is_enough)
{
    struct pair pair;
    struct relay relay;

    pair_init(&pair, true);
    relay_init(&relay, &pair);
    relay.portion = 1;
    pair_ready(&pair);
    rpc_send(pair.a.session, MSG_PING, 1, 0, NULL);
    PAIR_UNTIL(&pair, pair.b.frames == 1);

    pair_clear(&pair);
    relay_clear(&relay);
}
END_TEST

/* Every bit that is flipped anywhere in the handshake or after is noticed: the loop is over bytes.
 */
#define FLIP_BYTES 900
#define FLIP_STEP  19

START_TEST(a_flipped_bit_ends_the_connection)
{
    unsigned end = (unsigned)_i % 2;
    struct pair pair;
    struct relay relay;

    pair_init(&pair, true);
    pair.a.options.handshake_ms = pair.b.options.handshake_ms = 100;
    relay_init(&relay, &pair);
    relay.flip_end = end;
    relay.flip_at = (size_t)(_i / 2) * FLIP_STEP;
    pair_start(&pair);
    PAIR_UNTIL(&pair, (pair.a.ready && pair.b.ready) || pair.a.closed || pair.b.closed);
    if (pair.a.ready && pair.b.ready) { /* the handshake was shorter */
        ck_assert_uint_le(relay.ends[end].passed, relay.flip_at);
        relay.flip_at = relay.ends[end].passed + 40; /* in the middle of the next message */
        rpc_send_bytes(end ? pair.b.session : pair.a.session, MSG_PING, 1, 0,
                       "\x0a\x20"
                       "01234567890123456789012345678901",
                       34);
        PAIR_UNTIL(&pair, (end ? &pair.a : &pair.b)->closed);
        assert_says(end ? &pair.a : &pair.b, "was altered on its way");
    }
    PAIR_UNTIL(&pair, pair.a.closed && pair.b.closed);

    ck_assert_int_eq(pair.a.frames + pair.b.frames, 0);
    pair_clear(&pair);
    relay_clear(&relay);
}
END_TEST

START_TEST(a_silent_peer_is_given_up)
{
    struct pair pair;

    pair_init(&pair, _i);
    pair.b.options.handshake_ms = 20;
    pair_start_b(&pair);
    PAIR_UNTIL(&pair, pair.b.closed);

    ck_assert_int_eq(pair.b.why.code, ETIMEDOUT);
    assert_says(&pair.b, "handshake not finished in 0.020 s: waited for its hello");
    pair_clear(&pair);
    close(pair.fd[0]);
}
END_TEST

static struct rpc_question *open_question;

static void keep_question(const void *claim, size_t n, struct rpc_question *question, void *ctx)
{
    (void)claim;
    (void)n;
    (void)ctx;
    open_question = question;
}

START_TEST(a_credential_may_come_late)
{
    struct pair pair;

    open_question = NULL;
    pair_init(&pair, true);
    pair.a.options.make_credential = keep_question;
    pair_start(&pair);
    PAIR_UNTIL(&pair, open_question);
    ck_assert_int_eq(pair.a.ready, 0);
    /* Any payload will do for a refusal: what matters is that the answer goes on. */
    rpc_answer_credential(open_question, "key|77|00", NULL);
    until_both_closed(&pair);
    pair_clear(&pair);
}
END_TEST

START_TEST(an_answer_after_the_session_went_is_dropped)
{
    struct pair pair;

    open_question = NULL;
    pair_init(&pair, true);
    pair.a.options.make_credential = keep_question;
    pair_start(&pair);
    PAIR_UNTIL(&pair, open_question);
    pair.a.session = rpc_session_free(pair.a.session);
    rpc_answer_credential(open_question, "key|77|00", NULL);
    PAIR_UNTIL(&pair, pair.b.closed);
    pair_clear(&pair);
}
END_TEST

/* What a stranger may say first, and what comes of it. */
static const struct {
    const char *bytes;
    size_t n;
    const char *why;
} strangers[] = {
    { "GET / HTTP/1.0\r\n\r\n", 18, "at most 16384 are taken here" },
    { "\xff\xff\xff\xff\0\x08\0\0\0\0\0\0", 12, "message of 4294967295 bytes" },
    { "\0\0\x40\x01\0\x08\0\0\0\0\0\0", 12, "message of 16385 bytes" },
    { "\0\0\0\0\0\0\0\0\0\0\0\0", 12, "message of type 0" },
    { "\0\0\0\0\0\x08\xff\0\0\0\0\0", 12, "unknown flags 0xff00" },
    { "\0\0\0\0\0\x14\0\0\0\0\0\0", 12, "unexpected PING during the handshake" },
    { "\0\0\0\0\0\x0b\0\0\0\0\0\0", 12, "accepts us before it showed who it is" },
    { "\0\0\0\0\0\x08\0\0\0\0\0\0", 12, "required and not given" },
    { "\0\0\0\x02\0\x08\0\0\0\0\0\0\x04\x09", 14, "version 9 of the session protocol" },
    { "\0\0\0\x02\0\x08", 6, "closed the connection during the handshake" },
    { "", 0, "closed the connection during the handshake" },
};

START_TEST(a_stranger_is_shown_the_door)
{
    size_t row = (size_t)_i / 2;
    struct pair pair;

    pair_init(&pair, _i % 2);
    pair_start_b(&pair);
    ck_assert_int_eq(send(pair.fd[0], strangers[row].bytes, strangers[row].n, 0),
                     (ssize_t)strangers[row].n);
    shutdown(pair.fd[0], SHUT_WR);
    PAIR_UNTIL(&pair, pair.b.closed);

    assert_says(&pair.b, strangers[row].why);
    ck_assert_int_eq(pair.b.ready, 0);
    pair_clear(&pair);
    close(pair.fd[0]);
}
END_TEST

CHECK_MAIN(handshake, LOOP_CASE(another_cluster_is_refused_by_name, 2),
           LOOP_CASE(an_unwelcome_role_is_told_so, 2),
           LOOP_CASE(without_a_hook_only_root_and_self_are_accepted, 2),
           CASE(another_key_is_named_on_both_sides),
           LOOP_CASE(an_altered_credential_is_not_told_as_another_key, 2),
           CASE(clocks_too_far_apart_are_said_with_the_difference),
           LOOP_CASE(a_side_without_an_authd_tells_the_other, 2),
           LOOP_CASE(two_initiators_do_not_accept_one_another, 2),
           CASE(a_reflection_is_not_mistaken_for_a_peer),
           CASE(a_local_reflection_is_not_mistaken_for_a_peer), CASE(one_byte_at_a_time_is_enough),
           LOOP_CASE(a_flipped_bit_ends_the_connection, 2 * FLIP_BYTES / FLIP_STEP),
           LOOP_CASE(a_silent_peer_is_given_up, 2), CASE(a_credential_may_come_late),
           CASE(an_answer_after_the_session_went_is_dropped),
           LOOP_CASE(a_stranger_is_shown_the_door, 2 * ARRAY_N(strangers)))
