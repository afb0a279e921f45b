#include "unit/check_main.h"

#include <string.h>

#include "noded/stdio/inflow.h"

/* All that a reader gets now. */
static char *read_all(struct inflow *flow, uint32_t reader)
{
    AUTO(strbuf) struct strbuf text = { 0 };
    const void *data;
    uint32_t n;

    while (inflow_next(flow, reader, &data, &n)) {
        strbuf_add(&text, data, 1); /* byte by byte, as a full pipe would take it */
        inflow_took(flow, reader, 1);
    }
    return strbuf_steal(&text);
}

static void add(struct inflow *flow, uint32_t reader, const char *text)
{
    ck_assert_int_eq(inflow_add(flow, reader, text, (uint32_t)strlen(text), NULL), 0);
}

START_TEST(every_reader_gets_what_is_for_all_and_for_it)
{
    struct inflow *flow = inflow_new(2);

    add(flow, COUNT_UNSET, "ab");
    add(flow, 1, "X");
    add(flow, COUNT_UNSET, "c");
    AUTO_FREE char *first = read_all(flow, 0);
    ck_assert_uint_eq(inflow_consumed(flow), 0);
    AUTO_FREE char *second = read_all(flow, 1);

    ck_assert_str_eq(first, "abc");
    ck_assert_str_eq(second, "abXc");
    ck_assert_uint_eq(inflow_consumed(flow), 4);
    inflow_free(flow);
}
END_TEST

START_TEST(the_end_comes_after_what_came_before)
{
    struct inflow *flow = inflow_new(1);

    add(flow, 0, "a");
    add(flow, COUNT_UNSET, "");
    ck_assert(!inflow_is_at_end(flow, 0));
    AUTO_FREE char *text = read_all(flow, 0);

    ck_assert_str_eq(text, "a");
    ck_assert(inflow_is_at_end(flow, 0));
    inflow_free(flow);
}
END_TEST

START_TEST(a_reader_that_leaves_holds_nothing_back)
{
    struct inflow *flow = inflow_new(2);

    add(flow, COUNT_UNSET, "ab");
    free(read_all(flow, 0));
    inflow_leave(flow, 1);
    ck_assert_uint_eq(inflow_consumed(flow), 2);
    add(flow, 1, "lost");
    ck_assert_uint_eq(inflow_consumed(flow), 6);
    inflow_free(flow);
}
END_TEST

START_TEST(more_than_the_window_is_refused)
{
    struct inflow *flow = inflow_new(1);
    AUTO_FREE uint8_t *bytes = xcalloc(1, IO_WINDOW_BYTES);
    struct err err = { 0 };

    ck_assert_int_eq(inflow_add(flow, 0, bytes, IO_WINDOW_BYTES, &err), 0);
    ck_assert_int_eq(inflow_add(flow, 0, bytes, 1, &err), -E_TOO_BIG);
    inflow_took(flow, 0, IO_WINDOW_BYTES);
    ck_assert_int_eq(inflow_add(flow, 0, bytes, 1, &err), 0);
    inflow_free(flow);
}
END_TEST

CHECK_MAIN(inflow, CASE(every_reader_gets_what_is_for_all_and_for_it),
           CASE(the_end_comes_after_what_came_before),
           CASE(a_reader_that_leaves_holds_nothing_back), CASE(more_than_the_window_is_refused))
