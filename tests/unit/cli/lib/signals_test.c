#include "unit/check_main.h"

#include <errno.h>
#include <signal.h>

#include "cli/lib/signals.h"

START_TEST(signals_are_known_by_name_and_number)
{
    ck_assert_int_eq(signal_parse("USR1"), SIGUSR1);
    ck_assert_int_eq(signal_parse("sigusr2"), SIGUSR2);
    ck_assert_int_eq(signal_parse("Term"), SIGTERM);
    ck_assert_int_eq(signal_parse("9"), 9);
    ck_assert_int_eq(signal_parse("64"), 64);
}
END_TEST

START_TEST(what_is_no_signal_is_refused)
{
    ck_assert_int_eq(signal_parse(""), -EINVAL);
    ck_assert_int_eq(signal_parse("0"), -EINVAL);
    ck_assert_int_eq(signal_parse("65"), -EINVAL);
    ck_assert_int_eq(signal_parse("-9"), -EINVAL);
    ck_assert_int_eq(signal_parse("SIG"), -EINVAL);
    ck_assert_int_eq(signal_parse("USR9"), -EINVAL);
}
END_TEST

START_TEST(a_signal_has_a_name)
{
    ck_assert_str_eq(signal_name(SIGKILL), "KILL");
    ck_assert_str_eq(signal_name(40), "40");
}
END_TEST

CHECK_MAIN(signals, CASE(signals_are_known_by_name_and_number), CASE(what_is_no_signal_is_refused),
           CASE(a_signal_has_a_name))
