/* Licenses in reservations: kept from jobs outside, had by those inside, and never given twice. */
#include "unit/check_main.h"

#include "ctld/control/answer/info.h"
#include "unit/ctld/control/resv_desk.h"

#define NOW     "start=now duration=60 users=ann flags=license_only "
#define IN_TEN  "start=now+600 duration=60 users=ann flags=license_only "
#define ENDLESS "4294967295" /* over_run */

/* "3/3 2": used, total and reserved. */
static const char *licenses(const struct lab *lab)
{
    static char text[64];
    uint32_t n;
    struct license_info *list = control_licenses(lab->control, lab->now.wall_s, &n);

    snprintf(text, sizeof(text), "%u/%u %u", list[0].used, list[0].total, list[0].reserved);
    for (uint32_t i = 0; i < n; i++)
        license_info_clear(&list[i]);
    free(list);
    return text;
}

static void submit_other(struct lab *lab, const char *text)
{
    lab_submit_as(lab, LAB_OTHER, text);
}

/* ---- outside ---- */

START_TEST(jobs_outside_leave_what_is_reserved)
{
    struct lab *lab = lab_new("nodes=4 licenses=3 backfill=1");

    resv_have(lab, "reservationname=r " IN_TEN "licenses=matlab:2");
    submit_other(lab, "ntasks=1 time=600 licenses=matlab:2");
    submit_other(lab, "ntasks=1 time=7200 licenses=matlab:1");
    submit_other(lab, "ntasks=1 time=601 licenses=matlab:2");

    ck_assert_str_eq(lab_state(lab, 1), "RUNNING");
    ck_assert_str_eq(lab_state(lab, 2), "RUNNING");
    ck_assert_str_eq(lab_reason(lab, 3), "Licenses");
    ck_assert_int_eq(resv_start_of(lab, 3), 4200);
    ck_assert_str_eq(licenses(lab), "3/3 0");
    lab_exit(lab, 1, STEP_BATCH, 0);
    lab_wait(lab, 700);
    ck_assert_str_eq(licenses(lab), "1/3 2");
    ck_assert_str_eq(lab_reason(lab, 3), "Licenses");
    lab_wait(lab, 3501);
    ck_assert_str_eq(lab_state(lab, 3), "RUNNING");
    ck_assert_int_eq(resv_start_of(lab, 3), 4200);
    ck_assert_str_eq(licenses(lab), "3/3 0");
    lab_free(lab);
}
END_TEST

START_TEST(jobs_that_reservations_do_not_concern_go_on)
{
    struct lab *lab = lab_new("nodes=4 licenses=3 backfill=1");

    resv_have(lab, "reservationname=r " NOW "licenses=matlab:3");
    submit_other(lab, "ntasks=1 time=600");

    ck_assert_str_eq(lab_state(lab, 1), "RUNNING");
    lab_free(lab);
}
END_TEST

static const char *const endings[] = { "delete", "update", "time" };

START_TEST(licenses_are_free_again_when_they_are_not_reserved_any_more)
{
    struct lab *lab = lab_new("nodes=4 licenses=3 backfill=1");

    resv_have(lab, "reservationname=r " NOW "licenses=matlab:2");
    submit_other(lab, "ntasks=1 time=600 licenses=matlab:2");
    ck_assert_str_eq(lab_reason(lab, 1), "Licenses");

    if (strcmp(endings[_i], "delete") == 0)
        ck_assert_str_eq(resv_delete(lab, "r"), "");
    else if (strcmp(endings[_i], "update") == 0)
        ck_assert_str_eq(resv_update(lab, "reservationname=r licenses=matlab:1"), "");
    lab_wait(lab, strcmp(endings[_i], "time") == 0 ? 3601 : 1);

    ck_assert_str_eq(lab_state(lab, 1), "RUNNING");
    lab_free(lab);
}
END_TEST

START_TEST(what_is_reserved_stays_so_over_a_restart)
{
    struct lab *lab = lab_new("nodes=4 licenses=3 backfill=1");

    resv_have(lab, "reservationname=r " NOW "licenses=matlab:2");
    submit_other(lab, "ntasks=1 time=600 licenses=matlab:2");
    lab_submit(lab, "ntasks=1 time=600 licenses=matlab:1 resv=r");
    lab_restart(lab, "nodes=4 licenses=3 backfill=1");
    lab_wait(lab, 10);

    ck_assert_str_eq(lab_reason(lab, 1), "Licenses");
    ck_assert_str_eq(licenses(lab), "1/3 2");
    lab_submit(lab, "ntasks=1 time=600 licenses=matlab:1 resv=r");
    ck_assert_str_eq(lab_state(lab, 3), "RUNNING");
    lab_free(lab);
}
END_TEST

/* ---- inside ---- */

START_TEST(jobs_inside_have_what_is_reserved)
{
    struct lab *lab = lab_new("nodes=4 licenses=4 backfill=1");

    resv_have(lab, "reservationname=r " NOW "licenses=matlab:2");
    submit_other(lab, "ntasks=1 time=600 licenses=matlab:1");
    lab_submit(lab, "ntasks=1 time=600 licenses=matlab:2 resv=r");
    lab_submit(lab, "ntasks=1 time=600 licenses=matlab:1 resv=r");
    lab_submit(lab, "ntasks=1 time=600 licenses=matlab:3 resv=r"); /* more than it has */
    submit_other(lab, "ntasks=1 time=600 licenses=matlab:1");

    ck_assert_str_eq(lab_state(lab, 1), "RUNNING");
    ck_assert_str_eq(lab_state(lab, 2), "RUNNING");
    ck_assert_str_eq(lab_reason(lab, 3), "Licenses");
    ck_assert_int_ne(lab_job(lab, 4)->rec.state, JOB_RUNNING);
    ck_assert_str_eq(lab_state(lab, 5), "RUNNING");
    ck_assert_str_eq(licenses(lab), "4/4 2");
    lab_free(lab);
}
END_TEST

START_TEST(who_waits_outside_keeps_nobody_inside_waiting)
{
    struct lab *lab = lab_new("nodes=4 licenses=1 backfill=1");

    resv_have(lab, "reservationname=r " NOW "licenses=matlab:1");
    submit_other(lab, "ntasks=1 time=600 licenses=matlab:1");
    ck_assert_int_eq(resv_start_of(lab, 1), 3600);
    lab_wait(lab, 1);

    lab_submit(lab, "ntasks=1 time=7200 licenses=matlab:1 resv=r");

    ck_assert_str_eq(lab_state(lab, 2), "RUNNING");
    lab_free(lab);
}
END_TEST

START_TEST(who_asks_for_more_than_reserved_gets_the_rest_from_outside)
{
    struct lab *lab = lab_new("nodes=4 licenses=4 backfill=1");

    resv_have(lab, "reservationname=r " NOW "licenses=matlab:2");
    submit_other(lab, "ntasks=1 time=300 licenses=matlab:1");
    lab_submit(lab, "ntasks=1 time=600 licenses=matlab:4 resv=r");
    lab_submit(lab, "ntasks=1 time=300 licenses=matlab:1 resv=r");
    ck_assert_str_eq(lab_state(lab, 1), "RUNNING");
    ck_assert_str_eq(lab_reason(lab, 2), "Licenses");
    ck_assert_int_eq(resv_start_of(lab, 2), 300);
    ck_assert_str_eq(lab_state(lab, 3), "RUNNING");

    lab_exit(lab, 1, STEP_BATCH, 0);
    lab_exit(lab, 3, STEP_BATCH, 0);
    lab_wait(lab, 1);

    ck_assert_str_eq(lab_state(lab, 2), "RUNNING");
    ck_assert_str_eq(licenses(lab), "4/4 2");
    lab_free(lab);
}
END_TEST

START_TEST(two_reservations_keep_their_licenses_apart)
{
    struct lab *lab = lab_new("nodes=4 licenses=3 backfill=1");

    resv_have(lab, "reservationname=a " NOW "licenses=matlab:1");
    resv_have(lab, "reservationname=b " NOW "licenses=matlab:2");
    lab_submit(lab, "ntasks=1 time=600 licenses=matlab:1 resv=a");
    lab_submit(lab, "ntasks=1 time=600 licenses=matlab:1 resv=a");
    lab_submit(lab, "ntasks=1 time=600 licenses=matlab:2 resv=b");
    submit_other(lab, "ntasks=1 time=600 licenses=matlab:1");

    ck_assert_str_eq(lab_state(lab, 1), "RUNNING");
    ck_assert_str_eq(lab_reason(lab, 2), "Licenses");
    ck_assert_str_eq(lab_state(lab, 3), "RUNNING");
    ck_assert_str_eq(lab_reason(lab, 4), "Licenses");
    ck_assert_str_eq(licenses(lab), "3/3 3");
    lab_free(lab);
}
END_TEST

/* ---- never twice ---- */

START_TEST(jobs_inside_wait_for_who_ran_before)
{
    struct lab *lab = lab_new("nodes=4 licenses=2 backfill=1");

    submit_other(lab, "ntasks=1 time=600 licenses=matlab:2");
    resv_have(lab, "reservationname=r " NOW "licenses=matlab:2");
    lab_submit(lab, "ntasks=1 time=600 licenses=matlab:2 resv=r");
    ck_assert_str_eq(lab_reason(lab, 2), "Licenses");

    lab_exit(lab, 1, STEP_BATCH, 0);
    lab_wait(lab, 1);

    ck_assert_str_eq(lab_state(lab, 2), "RUNNING");
    lab_free(lab);
}
END_TEST

static const char *const stays[] = { "", ",daily" };

START_TEST(jobs_that_stay_on_keep_theirs)
{
    struct lab *lab = lab_new("nodes=4 licenses=2 backfill=1 over_run=" ENDLESS);
    AUTO_FREE char *text =
        xasprintf("reservationname=r start=now duration=60 users=ann licenses=matlab:2 "
                  "flags=license_only%s",
                  stays[_i]);

    resv_have(lab, text);
    lab_submit(lab, "ntasks=1 time=7200 licenses=matlab:2 resv=r");
    submit_other(lab, "ntasks=1 time=600 licenses=matlab:2");
    ck_assert_str_eq(lab_state(lab, 1), "RUNNING");
    lab_wait(lab, 3700);
    ck_assert_str_eq(lab_reason(lab, 2), "Licenses");
    ck_assert_int_eq(resv_start_of(lab, 2), 7200);
    ck_assert_str_eq(licenses(lab), "2/2 0");

    lab_exit(lab, 1, STEP_BATCH, 0);
    lab_wait(lab, 1);

    ck_assert_str_eq(lab_state(lab, 2), "RUNNING");
    lab_free(lab);
}
END_TEST

/* A job of a flexible one has licenses as others have them, until the time comes. */
START_TEST(flexible_ones_give_theirs_in_their_time)
{
    struct lab *lab = lab_new("nodes=4 licenses=3 backfill=1");

    resv_have(lab, "reservationname=r start=now+600 duration=60 users=ann licenses=matlab:2 "
                   "flags=license_only,flex");
    lab_submit(lab, "ntasks=1 time=300 licenses=matlab:2 resv=r");
    lab_submit(lab, "ntasks=1 time=1200 licenses=matlab:2 resv=r");
    ck_assert_str_eq(lab_state(lab, 1), "RUNNING");
    ck_assert_str_eq(lab_state(lab, 2), "PENDING");

    lab_wait(lab, 599);
    ck_assert_str_eq(lab_state(lab, 2), "PENDING");
    lab_wait(lab, 2);

    ck_assert_str_eq(lab_state(lab, 2), "RUNNING");
    submit_other(lab, "ntasks=1 time=60 licenses=matlab:1");
    submit_other(lab, "ntasks=1 time=60 licenses=matlab:1");
    ck_assert_str_eq(lab_state(lab, 3), "RUNNING");
    ck_assert_str_eq(lab_reason(lab, 4), "Licenses");
    lab_free(lab);
}
END_TEST

CHECK_MAIN(resv_license, CASE(jobs_outside_leave_what_is_reserved),
           CASE(jobs_that_reservations_do_not_concern_go_on),
           LOOP_CASE(licenses_are_free_again_when_they_are_not_reserved_any_more, ARRAY_N(endings)),
           CASE(what_is_reserved_stays_so_over_a_restart), CASE(jobs_inside_have_what_is_reserved),
           CASE(who_waits_outside_keeps_nobody_inside_waiting),
           CASE(who_asks_for_more_than_reserved_gets_the_rest_from_outside),
           CASE(two_reservations_keep_their_licenses_apart),
           CASE(jobs_inside_wait_for_who_ran_before),
           LOOP_CASE(jobs_that_stay_on_keep_theirs, ARRAY_N(stays)),
           CASE(flexible_ones_give_theirs_in_their_time))
