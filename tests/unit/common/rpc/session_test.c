#include <sys/ioctl.h>

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

CHECK_MAIN(session, LOOP_CASE(both_sides_learn_who_the_other_is, 2),
           LOOP_CASE(a_message_arrives_as_it_was_sent, 2))
