#include "unit/check_main.h"

#include <errno.h>
#include <unistd.h>

#include "cli/doctor/reach.h"

#define LONG_MS 100000

static int hangs(const char *path)
{
    (void)path;
    while (pause() < 0)
        ;
    return 0;
}

static int dies(const char *path)
{
    (void)path;
    _exit(1);
}

START_TEST(what_is_there_is_reached)
{
    ck_assert_int_eq(reach("/", reach_stat, LONG_MS), 0);
}
END_TEST

START_TEST(what_is_not_there_says_why)
{
    ck_assert_int_eq(reach("/no/such/path", reach_stat, LONG_MS), -ENOENT);
}
END_TEST

START_TEST(what_does_not_answer_is_not_waited_for)
{
    ck_assert_int_eq(reach("/", hangs, 1), -ETIMEDOUT);
}
END_TEST

START_TEST(a_look_that_dies_tells_nothing)
{
    ck_assert_int_eq(reach("/", dies, LONG_MS), -EIO);
}
END_TEST

CHECK_MAIN(reach, CASE(what_is_there_is_reached), CASE(what_is_not_there_says_why),
           CASE(what_does_not_answer_is_not_waited_for), CASE(a_look_that_dies_tells_nothing))
