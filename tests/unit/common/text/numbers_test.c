#include "unit/check_main.h"

#include <errno.h>

#include "common/base/alloc.h"
#include "common/base/strbuf.h"
#include "common/text/numbers.h"

static const struct {
    const char *text, *expanded;
} lists[] = {
    { NULL, "" },          { "", "" },
    { "0", "0 " },         { "0-3,8", "0 1 2 3 8 " },
    { "7,3-4", "7 3 4 " }, { " 1 , 2 ", "1 2 " },
    { "15", "15 " },
};

START_TEST(a_list_is_expanded_in_its_order)
{
    AUTO(numbers) struct numbers numbers = { 0 };
    AUTO(strbuf) struct strbuf out = { 0 };
    struct err err = { 0 };

    ck_assert_msg(numbers_parse(lists[_i].text, 15, &numbers, &err) == 0, "%s", err.text);
    for (uint32_t i = 0; i < numbers.n; i++)
        strbuf_addf(&out, "%u ", numbers.at[i]);

    ck_assert_str_eq(strbuf_text(&out), lists[_i].expanded);
}
END_TEST

static const struct {
    const char *text;
    int code;
} refused[] = {
    { "16", ERANGE }, { "3-2", ERANGE }, { "0-16", ERANGE },  { "a", EINVAL },
    { "-1", EINVAL }, { "1-", EINVAL },  { "1-2-3", EINVAL }, { "0x1", EINVAL },
};

START_TEST(what_is_no_number_up_to_the_limit_is_refused)
{
    struct numbers numbers = { .n = 7 };

    ck_assert_int_eq(numbers_parse(refused[_i].text, 15, &numbers, NULL), -refused[_i].code);

    ck_assert_uint_eq(numbers.n, 7);
}
END_TEST

START_TEST(a_list_takes_no_more_than_it_may_hold)
{
    struct numbers numbers = { 0 };

    ck_assert_int_eq(numbers_parse("0-65535,1", 65535, &numbers, NULL), -E_TOO_BIG);
}
END_TEST

START_TEST(what_counts_up_is_written_as_a_range)
{
    static const uint32_t list[] = { 0, 1, 2, 5, 4, 7, 8 };
    AUTO(strbuf) struct strbuf text = { 0 };

    numbers_format(list, ARRAY_N(list), &text);
    strbuf_adds(&text, " ");
    numbers_format(list, 1, &text);
    numbers_format(list, 0, &text);

    ck_assert_str_eq(strbuf_text(&text), "0-2,5,4,7-8 0");
}
END_TEST

CHECK_MAIN(numbers, LOOP_CASE(a_list_is_expanded_in_its_order, ARRAY_N(lists)),
           LOOP_CASE(what_is_no_number_up_to_the_limit_is_refused, ARRAY_N(refused)),
           CASE(a_list_takes_no_more_than_it_may_hold), CASE(what_counts_up_is_written_as_a_range))
