#include "unit/check_main.h"

#include <string.h>

#include "ctld/sim/policy.h"

static const char *const names[] = { "fcfs", "easy", "sjbf", "plan", "default" };

START_TEST(policies_are_known_by_their_names)
{
    struct plan_policy policy = { 0 };

    ck_assert_int_eq(policy_find(names[_i], &policy, NULL), 0);

    ck_assert(policy.select != 0);
    ck_assert_int_eq(policy.backfill, strcmp(names[_i], "fcfs") != 0);
    ck_assert_int_eq(policy.turn == PLAN_TURN_SHORTEST, strcmp(names[_i], "sjbf") == 0);
}
END_TEST

START_TEST(an_unknown_name_is_refused_with_those_there_are)
{
    struct plan_policy policy = { .plans_max = 7 };
    struct err err = { 0 };

    ck_assert_int_lt(policy_find("best", &policy, &err), 0);

    ck_assert_str_eq(err.text, "no policy 'best'; there are fcfs, easy, sjbf, plan and default");
    ck_assert_uint_eq(policy.plans_max, 7);
}
END_TEST

CHECK_MAIN(policy, LOOP_CASE(policies_are_known_by_their_names, ARRAY_N(names)),
           CASE(an_unknown_name_is_refused_with_those_there_are))
