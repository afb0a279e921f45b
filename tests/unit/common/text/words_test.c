#include "unit/check_main.h"

#include <errno.h>

#include "common/base/alloc.h"
#include "common/text/words.h"

START_TEST(splitting_trims_parts_and_leaves_out_empty_ones)
{
    AUTO(words) struct words parts = words_split(" a, b c ,,\td\n,", ",");

    ck_assert_uint_eq(parts.n, 3);
    ck_assert_str_eq(parts.at[0], "a");
    ck_assert_str_eq(parts.at[1], "b c");
    ck_assert_str_eq(parts.at[2], "d");
    ck_assert(words_have(&parts, "B C"));
    ck_assert(!words_have(&parts, "b"));
}
END_TEST

START_TEST(a_text_of_dividers_has_no_parts)
{
    AUTO(words) struct words parts = words_split(",, ,", ",");

    ck_assert_uint_eq(parts.n, 0);
}
END_TEST

START_TEST(trimming_cuts_blanks_at_both_ends)
{
    char text[] = " \t a b \r\n";
    char none[] = "  ";

    ck_assert_str_eq(word_trim(text), "a b");
    ck_assert_str_eq(word_trim(none), "");
}
END_TEST

START_TEST(words_are_compared_in_any_case)
{
    const char *rest = NULL;

    ck_assert(word_is("NodeName", "nodename"));
    ck_assert(!word_is("NodeName", "nodenam"));
    ck_assert(!word_is("NodeNam", "nodename"));
    ck_assert(!word_is(NULL, "a") && !word_is("a", NULL));
    ck_assert(word_starts("NOW+5", "now", &rest));
    ck_assert_str_eq(rest, "+5");
    ck_assert(!word_starts("no", "now", NULL));
}
END_TEST

START_TEST(a_list_has_words_between_its_commas)
{
    ck_assert(list_has_word("UsePss, NoShared", "noshared"));
    ck_assert(!list_has_word("UsePss,NoShared", "Shared"));
    ck_assert(!list_has_word(NULL, "UsePss"));
}
END_TEST

START_TEST(a_character_is_taken_where_it_stands)
{
    const char *at = ":,";

    ck_assert(!text_take_char(&at, ','));
    ck_assert(text_take_char(&at, ':'));
    ck_assert_str_eq(at, ",");
}
END_TEST

START_TEST(digits_are_counted_up_to_the_first_other_or_the_end)
{
    ck_assert_uint_eq(text_count_digits("12a3", 4), 2);
    ck_assert_uint_eq(text_count_digits("1234", 3), 3);
    ck_assert_uint_eq(text_count_digits("a1", 2), 0);
}
END_TEST

static const struct {
    const char *text;
    uint64_t min, max;
    int code;
    const char *result; /* the number, or the error */
} numbers[] = {
    { "0", 0, 10, 0, "0" },
    { "007", 0, 10, 0, "7" },
    { "18446744073709551615", 0, UINT64_MAX, 0, "18446744073709551615" },
    { "", 0, 10, EINVAL, "a number is missing" },
    { "1x", 0, 10, EINVAL, "'1x' is not a number" },
    { "-1", 0, 10, EINVAL, "'-1' is not a number" },
    { "+1", 0, 10, EINVAL, "'+1' is not a number" },
    { " 1", 0, 10, EINVAL, "' 1' is not a number" },
    { "11", 0, 10, ERANGE, "'11' is more than 10" },
    { "1", 2, 10, ERANGE, "'1' is less than 2" },
    { "18446744073709551616", 0, UINT64_MAX, ERANGE,
      "'18446744073709551616' is more than 18446744073709551615" },
};

START_TEST(a_number_is_read_within_its_bounds)
{
    uint64_t number = 12345;
    struct err err = { 0 };
    int rc = number_parse(numbers[_i].text, numbers[_i].min, numbers[_i].max, &number, &err);

    ck_assert_int_eq(rc, -numbers[_i].code);
    if (rc < 0) {
        ck_assert_str_eq(err.text, numbers[_i].result);
        ck_assert_uint_eq(number, 12345);
        return;
    }
    AUTO_FREE char *text = xasprintf("%llu", (unsigned long long)number);
    ck_assert_str_eq(text, numbers[_i].result);
}
END_TEST

CHECK_MAIN(words, CASE(splitting_trims_parts_and_leaves_out_empty_ones),
           CASE(a_text_of_dividers_has_no_parts), CASE(trimming_cuts_blanks_at_both_ends),
           CASE(words_are_compared_in_any_case), CASE(a_list_has_words_between_its_commas),
           CASE(a_character_is_taken_where_it_stands),
           CASE(digits_are_counted_up_to_the_first_other_or_the_end),
           LOOP_CASE(a_number_is_read_within_its_bounds, ARRAY_N(numbers)))
