#include "unit/check_main.h"

#include <string.h>

#include "noded/stdio/outflow.h"

static void add(struct outflow *flow, uint32_t task, const char *text)
{
    struct outflow_frame frame = { task, IO_STDOUT, (const uint8_t *)text, (uint32_t)strlen(text) };

    outflow_add(flow, &frame);
}

/* Sends all there is: "0:abc 1:" */
static char *sent(struct outflow *flow)
{
    AUTO(strbuf) struct strbuf text = { 0 };
    struct outflow_frame frame;

    while (outflow_next(flow, &frame)) {
        strbuf_addf(&text, "%u:", frame.task);
        strbuf_add(&text, frame.data, frame.n);
        strbuf_addc(&text, ' ');
    }
    return strbuf_steal(&text);
}

START_TEST(frames_go_out_once_and_in_order)
{
    struct outflow *flow = outflow_new();

    add(flow, 0, "abc");
    add(flow, 1, "d");
    AUTO_FREE char *first = sent(flow);
    add(flow, 0, "");
    AUTO_FREE char *second = sent(flow);

    ck_assert_str_eq(first, "0:abc 1:d ");
    ck_assert_str_eq(second, "0: ");
    ck_assert(!outflow_is_done(flow));
    ck_assert_int_eq(outflow_credit(flow, 4, NULL), 0);
    ck_assert(outflow_is_done(flow));
    outflow_free(flow);
}
END_TEST

START_TEST(the_window_closes_and_credit_opens_it)
{
    struct outflow *flow = outflow_new();
    AUTO_FREE uint8_t *bytes = xcalloc(1, IO_WINDOW_BYTES);
    struct outflow_frame frame = { 0, IO_STDOUT, bytes, IO_WINDOW_BYTES - 1 };

    outflow_add(flow, &frame);
    ck_assert_uint_eq(outflow_room(flow), 1);
    frame.n = 1;
    outflow_add(flow, &frame);
    ck_assert_uint_eq(outflow_room(flow), 0);
    free(sent(flow));

    ck_assert_int_eq(outflow_credit(flow, 1000, NULL), 0);
    ck_assert_uint_eq(outflow_room(flow), 1000);
    outflow_free(flow);
}
END_TEST

START_TEST(after_a_redial_only_what_was_not_consumed_is_sent_again)
{
    struct outflow *flow = outflow_new();

    add(flow, 0, "abc");
    add(flow, 0, "");
    add(flow, 1, "def");
    add(flow, 1, "");
    AUTO_FREE char *all = sent(flow);
    ck_assert_int_eq(outflow_rewind(flow, 3, NULL), 0);
    AUTO_FREE char *again = sent(flow);
    ck_assert_int_eq(outflow_rewind(flow, 5, NULL), 0);
    AUTO_FREE char *rest = sent(flow);

    ck_assert_str_eq(all, "0:abc 0: 1:def 1: ");
    ck_assert_str_eq(again, "0: 1:def 1: "); /* the end at 3 may or may not have arrived */
    ck_assert_str_eq(rest, "1:f 1: ");
    outflow_free(flow);
}
END_TEST

START_TEST(credit_for_what_was_not_sent_is_refused)
{
    struct outflow *flow = outflow_new();
    struct err err = { 0 };

    add(flow, 0, "abc");
    ck_assert_int_eq(outflow_credit(flow, 1, &err), -E_PROTO);
    ck_assert_str_eq(err.text, "srun consumed 1 bytes of 0 that were sent");
    free(sent(flow));
    ck_assert_int_eq(outflow_credit(flow, 2, &err), 0);
    ck_assert_int_eq(outflow_credit(flow, 1, &err), -E_PROTO);
    ck_assert_int_eq(outflow_credit(flow, 4, &err), -E_PROTO);
    outflow_free(flow);
}
END_TEST

CHECK_MAIN(outflow, CASE(frames_go_out_once_and_in_order),
           CASE(the_window_closes_and_credit_opens_it),
           CASE(after_a_redial_only_what_was_not_consumed_is_sent_again),
           CASE(credit_for_what_was_not_sent_is_refused))
