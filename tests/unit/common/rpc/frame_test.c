#include "common/msg/types.h"
#include "common/rpc/frame.h"
#include "unit/check_main.h"

START_TEST(a_frame_is_what_the_document_says)
{
    static const uint8_t expected[] = { 0, 0, 0, 3, 0, 20, 0, 5, 1, 2, 3, 4, 'a', 'b', 'c' };
    const struct rpc_frame frame = { MSG_PING, 0x01020304, RPC_REPLY | RPC_MORE, "abc", 3 };
    AUTO(strbuf) struct strbuf out = { 0 };

    rpc_frame_encode(&frame, &out);

    ck_assert_uint_eq(out.len, sizeof(expected));
    ck_assert_mem_eq(out.data, expected, sizeof(expected));
}
END_TEST

START_TEST(a_frame_decodes_to_what_was_encoded)
{
    const struct rpc_frame frame = { 65535, UINT32_MAX, RPC_FLAGS_ALL, "abc", 3 };
    struct rpc_frame got;
    AUTO(strbuf) struct strbuf out = { 0 };

    rpc_frame_encode(&frame, &out);
    strbuf_adds(&out, "next");

    ck_assert_int_eq(rpc_frame_decode(out.data, out.len, RPC_BODY_MAX, &got, NULL), 15);
    ck_assert_uint_eq(got.type, 65535);
    ck_assert_uint_eq(got.request, UINT32_MAX);
    ck_assert_uint_eq(got.flags, RPC_FLAGS_ALL);
    ck_assert_uint_eq(got.body_n, 3);
    ck_assert_mem_eq(got.body, "abc", 3);
}
END_TEST

START_TEST(a_part_of_a_frame_asks_for_more)
{
    const struct rpc_frame frame = { MSG_PING, 1, 0, "abc", 3 };
    struct rpc_frame got = { .type = 77 };
    AUTO(strbuf) struct strbuf out = { 0 };

    rpc_frame_encode(&frame, &out);
    for (size_t n = 0; n < out.len; n++)
        ck_assert_int_eq(rpc_frame_decode(out.data, n, RPC_BODY_MAX, &got, NULL), 0);

    ck_assert_uint_eq(got.type, 77);
}
END_TEST

START_TEST(the_limit_is_checked_before_the_body_is_there)
{
    static const uint8_t over[] = { 0, 0x0f, 0xff, 0xf5, 0, 20, 0, 0, 0, 0, 0, 0 };
    static const uint8_t at[] = { 0, 0x0f, 0xff, 0xf4, 0, 20, 0, 0, 0, 0, 0, 0 };
    struct rpc_frame got;
    struct err err = { 0 };

    ck_assert_int_eq(rpc_frame_decode(over, sizeof(over), UINT32_MAX, &got, &err), -E_TOO_BIG);
    ck_assert_str_eq(err.text, "message of 1048565 bytes, at most 1048564 are taken here");
    ck_assert_int_eq(rpc_frame_decode(at, sizeof(at), RPC_BODY_MAX, &got, &err), 0);
}
END_TEST

CHECK_MAIN(frame, CASE(a_frame_is_what_the_document_says),
           CASE(a_frame_decodes_to_what_was_encoded), CASE(a_part_of_a_frame_asks_for_more),
           CASE(the_limit_is_checked_before_the_body_is_there))
