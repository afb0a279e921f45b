#include "unit/check_main.h"

#include <string.h>

#include "cli/join/exchange.h"

static const struct token token = { "0123456789abcde" }, other_token = { "0123456789abcdf" };
static struct join_exchange machine, head;
static struct strbuf hello, answer; /* both hellos as they go over the network */

static void before(void)
{
    join_exchange_init(&machine, true);
    join_exchange_init(&head, false);
    join_say_hello(&machine, &token, &hello);
    join_say_hello(&head, NULL, &answer);
}

static void after(void)
{
    join_exchange_clear(&machine);
    join_exchange_clear(&head);
    strbuf_clear(&hello);
    strbuf_clear(&answer);
}

static int meet(struct join_exchange *exchange, struct strbuf *bytes, const struct token *with)
{
    AUTO(join_hello) struct join_hello other;
    struct rpc_frame frame;
    int rc;

    ck_assert_int_gt(rpc_frame_decode(bytes->data, bytes->len, JOIN_HELLO_MAX, &frame, NULL), 0);
    rc = join_read_hello(&frame, &other, NULL);
    return rc < 0 ? rc : join_meet(exchange, &frame, &other, with, NULL);
}

/* What the machine seals, opened by the head. */
static int pass_request(void)
{
    AUTO(strbuf) struct strbuf record = { 0 };
    struct rpc_frame frame;

    join_seal(&machine, MSG_JOIN_REQUEST, "body", 4, &record);
    return record_open(head.open, (uint8_t *)record.data, record.len, JOIN_REQUEST_MAX, &frame,
                       NULL);
}

START_TEST(who_has_the_token_is_understood)
{
    ck_assert_int_eq(meet(&head, &hello, &token), 0);
    ck_assert_int_eq(meet(&machine, &answer, &token), 0);

    ck_assert_int_gt(pass_request(), 0);
}
END_TEST

START_TEST(who_has_another_token_is_not)
{
    ck_assert_int_eq(meet(&head, &hello, &token), 0);
    ck_assert_int_eq(meet(&machine, &answer, &other_token), 0);

    ck_assert_int_eq(pass_request(), -E_PROTO);
}
END_TEST

/* Whatever bit is turned: the frame is refused, or the keys differ. */
START_TEST(no_byte_of_a_hello_may_change)
{
    for (size_t i = 0; i < hello.len; i++) {
        hello.data[i] ^= 1;
        if (rpc_frame_decode(hello.data, hello.len, JOIN_HELLO_MAX, &(struct rpc_frame){ 0 },
                             NULL) > 0 &&
            meet(&head, &hello, &token) == 0) {
            ck_assert_int_eq(meet(&machine, &answer, &token), 0);
            ck_assert_int_eq(pass_request(), -E_PROTO);
        }
        after();
        before();
    }
}
END_TEST

START_TEST(a_hello_sent_back_to_its_sender_makes_no_keys_that_fit)
{
    AUTO(strbuf) struct strbuf record = { 0 };
    struct rpc_frame frame;

    ck_assert_int_eq(meet(&machine, &hello, &token), 0);
    join_seal(&machine, MSG_JOIN_REQUEST, "body", 4, &record);

    ck_assert_int_eq(record_open(machine.open, (uint8_t *)record.data, record.len, JOIN_REQUEST_MAX,
                                 &frame, NULL),
                     -E_PROTO);
}
END_TEST

static const struct {
    const char *name;
    bool plain;
} names[] = { { "worker-1", true }, { "slurm.conf", true },   { "a_b.c-9", true },
              { "", false },        { "../shadow", false },   { ".bashrc", false },
              { "-rf", false },     { "a b", false },         { "a/b", false },
              { "a\n", false },     { "caf\xc3\xa9", false }, { "longer-than", false } };

START_TEST(names_lead_nowhere)
{
    ck_assert_int_eq(join_name_is_plain(names[_i].name, 10), names[_i].plain);
}
END_TEST

START_TEST(an_answer_with_a_file_elsewhere_is_refused)
{
    struct join_file files[] = { { .name = (char *)(uintptr_t) "slurm.conf" },
                                 { .name = (char *)(uintptr_t) "../cron.d/x" } };
    uint8_t key[64] = { 0 };
    struct join_answer sent = { .key = { key, sizeof(key) }, .files = files, .files_n = 2 };
    AUTO(join_answer) struct join_answer got;
    AUTO(strbuf) struct strbuf body = { 0 };
    struct rpc_frame frame = { .type = MSG_JOIN_ANSWER };

    schema_encode(join_answer_schema(), &sent, &body);
    frame.body = body.data;
    frame.body_n = (uint32_t)body.len;

    ck_assert_int_eq(join_read_answer(&frame, &got, NULL), -E_PROTO);
}
END_TEST

CHECK_MAIN_WITH(cli_join_exchange, before, after, CASE(who_has_the_token_is_understood),
                CASE(who_has_another_token_is_not), CASE(no_byte_of_a_hello_may_change),
                CASE(a_hello_sent_back_to_its_sender_makes_no_keys_that_fit),
                LOOP_CASE(names_lead_nowhere, sizeof(names) / sizeof(names[0])),
                CASE(an_answer_with_a_file_elsewhere_is_refused))
