#include "unit/check_main.h"

#include <string.h>

#include "common/base/alloc.h"
#include "noded/mpi/keyval.h"

START_TEST(what_one_puts_others_get_and_only_news_are_told)
{
    AUTO(strbuf) struct strbuf first = { 0 };
    AUTO(strbuf) struct strbuf second = { 0 };
    struct keyval *here = keyval_new(), *there = keyval_new();

    keyval_put(here, "a", "1");
    keyval_put(here, "b", "");
    keyval_take_news(here, &first);
    keyval_put(here, "a", "2");
    keyval_take_news(here, &second);

    ck_assert_int_eq(keyval_merge(there, first.data, first.len), 0);
    ck_assert_str_eq(keyval_get(there, "a"), "1");
    ck_assert_str_eq(keyval_get(there, "b"), "");
    ck_assert_int_eq(keyval_merge(there, second.data, second.len), 0);
    ck_assert_str_eq(keyval_get(there, "a"), "2");
    ck_assert_uint_eq(second.len, 4);
    ck_assert_ptr_null(keyval_get(there, "c"));
    keyval_free(here);
    keyval_free(there);
}
END_TEST

START_TEST(what_was_heard_is_no_news)
{
    AUTO(strbuf) struct strbuf news = { 0 };
    struct keyval *pairs = keyval_new();

    keyval_merge(pairs, "a\0001", 4);
    keyval_take_news(pairs, &news);

    ck_assert_uint_eq(news.len, 0);
    keyval_free(pairs);
}
END_TEST

START_TEST(pairs_are_listed_in_the_order_of_their_first_put)
{
    struct keyval *pairs = keyval_new();
    const char *key, *value;

    keyval_put(pairs, "b", "1");
    keyval_put(pairs, "a", "2");
    keyval_put(pairs, "b", "3");

    ck_assert(keyval_at(pairs, 0, &key, &value));
    ck_assert_str_eq(key, "b");
    ck_assert_str_eq(value, "3");
    ck_assert(!keyval_at(pairs, 2, &key, &value));
    keyval_free(pairs);
}
END_TEST

START_TEST(half_a_pair_is_refused)
{
    struct keyval *pairs = keyval_new();

    ck_assert_int_lt(keyval_merge(pairs, "a\0001", 3), 0);
    keyval_free(pairs);
}
END_TEST

CHECK_MAIN(keyval, CASE(what_one_puts_others_get_and_only_news_are_told),
           CASE(what_was_heard_is_no_news), CASE(pairs_are_listed_in_the_order_of_their_first_put),
           CASE(half_a_pair_is_refused))
