#include "unit/check_main.h"

#include "cli/doctor/skew.h"

START_TEST(a_slow_answer_is_no_skew)
{
    ck_assert_int_eq(skew_s(100, 100, 109), 0);
    ck_assert_int_eq(skew_s(100, 109, 109), 0);
}
END_TEST

START_TEST(a_clock_is_ahead_of_one_that_tells_an_earlier_time)
{
    ck_assert_int_eq(skew_s(160, 100, 161), 60);
}
END_TEST

START_TEST(a_clock_is_behind_one_that_tells_a_later_time)
{
    ck_assert_int_eq(skew_s(40, 100, 41), -59);
}
END_TEST

CHECK_MAIN(skew, CASE(a_slow_answer_is_no_skew),
           CASE(a_clock_is_ahead_of_one_that_tells_an_earlier_time),
           CASE(a_clock_is_behind_one_that_tells_a_later_time))
