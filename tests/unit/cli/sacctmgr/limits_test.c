#include "unit/check_main.h"

#include "cli/sacctmgr/limits.h"

static struct assoc_record before, after;

static void begin(void)
{
    assoc_record_init(&before);
    assoc_record_init(&after);
}

static void end(void)
{
    assoc_record_clear(&before);
    assoc_record_clear(&after);
}

START_TEST(what_is_no_limit_is_no_new_limit)
{
    after.shares = 12;
    after.priority = 5;
    after.is_default = true;

    ck_assert(!limits_are_new(LIMIT_OF_ASSOC, NULL, &after));
    ck_assert(!limits_are_new(LIMIT_OF_ASSOC, &before, &after));
}
END_TEST

START_TEST(a_count_or_an_amount_that_is_set_is_a_new_limit)
{
    after.max_jobs = 0;
    ck_assert(limits_are_new(LIMIT_OF_ASSOC, NULL, &after));
    ck_assert(limits_are_new(LIMIT_OF_ASSOC, &before, &after));

    before.max_jobs = 0;
    ck_assert(!limits_are_new(LIMIT_OF_ASSOC, &before, &after));
    acct_amount_init(ARRAY_PUSH(after.grp_tres, after.grp_tres_n));
    after.grp_tres[0].tres = xstrdup("cpu");
    after.grp_tres[0].amount = 8;
    ck_assert(limits_are_new(LIMIT_OF_ASSOC, &before, &after));
}
END_TEST

START_TEST(a_limit_that_is_taken_away_is_no_new_one)
{
    before.grp_wall = 60;

    ck_assert(!limits_are_new(LIMIT_OF_ASSOC, &before, &after));
}
END_TEST

START_TEST(a_qos_has_limits_of_its_own)
{
    struct qos_record qos;

    qos_record_init(&qos);
    ck_assert(!limits_are_new(LIMIT_OF_QOS, NULL, &qos));
    qos.max_jobs_per_account = 3;
    ck_assert(limits_are_new(LIMIT_OF_QOS, NULL, &qos));
    qos_record_clear(&qos);
}
END_TEST

CHECK_MAIN_WITH(limits, begin, end, CASE(what_is_no_limit_is_no_new_limit),
                CASE(a_count_or_an_amount_that_is_set_is_a_new_limit),
                CASE(a_limit_that_is_taken_away_is_no_new_one), CASE(a_qos_has_limits_of_its_own))
