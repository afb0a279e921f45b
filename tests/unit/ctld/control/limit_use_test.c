/* Limits in minutes that jobs have used: GrpTRESMins and GrpWall, with and without `safe`. */
#include "unit/check_main.h"

#include "unit/ctld/control/limit_desk.h"

#define SAFE    "enforce=51" /* associations, limits, qos and safe */
#define MINUTES 60

/* ---- what a fresh cluster says (Slurm 22.05) ---- */

static const struct {
    const char *enforce, *level, *member, *value, *jobs, *becomes;
} rows[] = {
    { ENFORCED, "user", "grp_tres_mins", "cpu=0", "time=60", "AssocGrpCPUMinutesLimit" },
    { ENFORCED, "account", "grp_tres_mins", "node=0", "time=60", "AssocGrpNodeMinutes" },
    { ENFORCED, "root", "grp_wall", "0", "time=60", "AssocGrpWallLimit" },
    { ENFORCED, "qos", "grp_tres_mins", "cpu=0", "time=60", "QOSGrpCPUMinutesLimit" },
    { ENFORCED, "partqos", "grp_wall", "0", "time=60", "QOSGrpWallLimit" },
    { ENFORCED, "user", "grp_tres_mins", "cpu=20", "time=900 mem=1 ; time=600 mem=1",
      "RUNNING RUNNING" },
    { ENFORCED, "user", "grp_tres_mins", "cpu=20", "time=1800", "RUNNING" },
    { ENFORCED, "user", "grp_tres_mins", "gres/gpu=0", "time=1800", "RUNNING" },
    { SAFE, "user", "grp_tres_mins", "cpu=20", "time=900 mem=1 ; time=600 mem=1",
      "RUNNING AssocGrpCPUMinutesLimit" },
    { SAFE, "user", "grp_tres_mins", "cpu=20", "time=1800", "AssocGrpCPUMinutesLimit" },
    { SAFE, "user", "grp_tres_mins", "cpu=20", "mem=1", "AssocGrpCPUMinutesLimit" },
    { SAFE, "account", "grp_tres_mins", "mem=2000", "time=900 mem=100 ; @bob time=600 mem=100",
      "RUNNING AssocGrpMemMinutes" },
    { SAFE, "qos", "grp_tres_mins", "cpu=20", "time=900 mem=1 ; time=300 mem=1 ; time=60 mem=1",
      "RUNNING RUNNING QOSGrpCPUMinutesLimit" },
    { SAFE, "user", "grp_wall", "20", "time=1800", "AssocGrpWallLimit" },
};

START_TEST(a_limit_in_minutes_lets_jobs_wait)
{
    const struct limited row = { rows[_i].level, rows[_i].member, rows[_i].value, rows[_i].jobs,
                                 rows[_i].becomes };

    expect_limited(rows[_i].enforce, &row);
}
END_TEST

/* ---- over time ---- */

START_TEST(jobs_end_when_all_is_used_and_none_starts)
{
    struct desk desk = limit_desk(ENFORCED);
    struct lab *lab = desk.lab;
    uint32_t first, second, next;

    set_limit(&desk, "account", "grp_tres_mins", "cpu=10");
    first = lab_submit(lab, "time=36000 ntasks=2 mem=1");
    second = lab_submit_as(lab, BOB, "time=36000 ntasks=3 mem=1");
    lab_wait(lab, 2 * MINUTES - 1);
    ck_assert_str_eq(lab_state(lab, first), "RUNNING");
    lab_wait(lab, 2);
    ck_assert_str_eq(lab_state(lab, first), "TIMEOUT");
    ck_assert_str_eq(lab_state(lab, second), "TIMEOUT");
    ck_assert_str_eq(lab_reason(lab, first), "AssocGrpCPUMinutesLimit");
    ck_assert_str_eq(lab_reason_text(lab, first),
                     "AssocGrpCPUMinutesLimit: GrpTRESMins=cpu=10 of account organic");
    next = lab_submit(lab, "time=60 mem=1");
    ck_assert_str_eq(lab_reason(lab, next), "AssocGrpCPUMinutesLimit");

    set_limit(&desk, "account", "grp_tres_mins", "cpu=20");
    ck_assert_str_eq(lab_state(lab, next), "RUNNING");
    desk_free(&desk);
}
END_TEST

START_TEST(decay_makes_room)
{
    struct desk desk = limit_desk(ENFORCED " multifactor half_life=600");
    struct lab *lab = desk.lab;
    uint32_t first, next;

    first = lab_submit(lab, "time=36000 ntasks=4 mem=1");
    lab_wait(lab, 5 * MINUTES);
    lab_exit(lab, first, STEP_BATCH, 0);
    set_limit(&desk, "user", "grp_tres_mins", "cpu=5"); /* some 17 are used */
    next = lab_submit(lab, "time=60 mem=1");
    ck_assert_str_eq(lab_reason(lab, next), "AssocGrpCPUMinutesLimit");
    lab_wait(lab, 15 * MINUTES);
    ck_assert_str_eq(lab_state(lab, next), "PENDING");
    lab_wait(lab, 5 * MINUTES);
    ck_assert_str_ne(lab_state(lab, next), "PENDING");
    desk_free(&desk);
}
END_TEST

/* Six cpus use up 30 minutes in 5, and a moment later since some of it decays meanwhile. */
START_TEST(it_is_told_that_a_limit_is_used_up_before_the_planned_start)
{
    struct desk desk = limit_desk(ENFORCED " multifactor half_life=604800");
    struct lab *lab = desk.lab;
    AUTO(job_info) struct job_info before, after, later;
    uint32_t waits;

    lab_submit(lab, "time=36000 nodes=2 ntasks=6 mem=1");
    waits = lab_submit(lab, "time=60 ntasks=8 mem=1");
    control_job_info(lab->control, lab->now, lab_job(lab, waits), &before);
    ck_assert_int_eq(before.planned_start - lab->now.wall_s, 36000);
    ck_assert_ptr_null(before.used_up);

    set_limit(&desk, "user", "grp_tres_mins", "cpu=30");
    control_job_info(lab->control, lab->now, lab_job(lab, waits), &after);
    ck_assert_int_eq(after.planned_start, 0);
    ck_assert_str_eq(after.used_up, "GrpTRESMins=cpu=30 of user ann in account organic");
    ck_assert_int_ge(after.used_up_time - lab->now.wall_s, 5 * MINUTES);
    ck_assert_int_lt(after.used_up_time - lab->now.wall_s, 5 * MINUTES + 5);

    lab_wait(lab, after.used_up_time - lab->now.wall_s + 1);
    control_job_info(lab->control, lab->now, lab_job(lab, waits), &later);
    ck_assert_str_eq(job_reason_name(later.job->reason), "AssocGrpCPUMinutesLimit");
    ck_assert_uint_eq(later.estimate, ESTIMATE_DECAY);
    desk_free(&desk);
}
END_TEST

START_TEST(it_is_told_when_decay_will_have_made_room)
{
    struct desk desk = limit_desk(SAFE " multifactor half_life=600");
    struct lab *lab = desk.lab;
    const uint32_t first = lab_submit(lab, "time=36000 ntasks=4 mem=1");
    uint32_t next;
    int64_t at;

    lab_wait(lab, 5 * MINUTES);
    lab_exit(lab, first, STEP_BATCH, 0);
    set_limit(&desk, "user", "grp_tres_mins", "cpu=10"); /* some 17 are used */
    next = lab_submit(lab, "time=300 mem=1");            /* so it waits for 5: log2(17/5) = 1.76 */
    ck_assert_str_eq(lab_reason(lab, next), "AssocGrpCPUMinutesLimit");
    at = lab_room_s(lab, next);
    ck_assert_int_gt(at, 16 * MINUTES);
    ck_assert_int_lt(at, 19 * MINUTES);
    lab_wait(lab, at - 10);
    ck_assert_str_eq(lab_state(lab, next), "PENDING");
    lab_wait(lab, 6 * MINUTES); /* the planner is told with the priorities */
    ck_assert_str_eq(lab_state(lab, next), "RUNNING");
    desk_free(&desk);
}
END_TEST

START_TEST(what_a_job_did_not_use_is_free_for_the_next)
{
    struct desk desk = limit_desk(SAFE);
    struct lab *lab = desk.lab;
    uint32_t first, second, third;

    set_limit(&desk, "user", "grp_tres_mins", "cpu=20");
    first = lab_submit(lab, "time=900 mem=1");
    second = lab_submit(lab, "time=900 mem=1");
    third = lab_submit(lab, "time=900 mem=1");
    lab_wait(lab, 5 * MINUTES);
    ck_assert_str_eq(lab_reason(lab, second), "AssocGrpCPUMinutesLimit");
    lab_exit(lab, first, STEP_BATCH, 0); /* 15 are left */
    ck_assert_str_eq(lab_state(lab, second), "RUNNING");
    lab_restart(lab, LIMITS_CLUSTER SAFE);
    ck_assert_str_eq(lab_reason(lab, third), "AssocGrpCPUMinutesLimit");

    /* It is not ended for a limit that was lowered, and ends when its own time is over. */
    set_limit(&desk, "user", "grp_tres_mins", "cpu=1");
    lab_wait(lab, 14 * MINUTES);
    ck_assert_str_eq(lab_state(lab, second), "RUNNING");
    lab_wait(lab, 2 * MINUTES);
    ck_assert_str_eq(lab_state(lab, second), "TIMEOUT");
    ck_assert_str_eq(lab_state(lab, third), "PENDING");
    desk_free(&desk);
}
END_TEST

START_TEST(usage_that_is_forgotten_lets_jobs_start)
{
    struct desk desk = limit_desk(ENFORCED);
    struct lab *lab = desk.lab;
    struct assoc_record chem = assoc_of("chem", NULL, NULL);
    char *elsewhere = TEXT("mars");
    struct qos_record change;
    uint32_t first, next;

    set_limit(&desk, "account", "grp_tres_mins", "cpu=10");
    set_limit(&desk, "qos", "grp_wall", "1000");
    first = lab_submit(lab, "time=36000 mem=1");
    lab_wait(lab, 11 * MINUTES);
    ck_assert_str_eq(lab_state(lab, first), "TIMEOUT");
    first = lab_submit_as(lab, BOB, "time=60 mem=1 qos=normal");
    ck_assert_str_eq(lab_reason(lab, first), "AssocGrpCPUMinutesLimit");

    chem.usage_resets = 1; /* of an account above */
    set_assoc(&desk, "chem", NULL, "usage_resets", chem);
    ck_assert_int_eq(send(&desk, 0), 0);
    ck_assert_str_eq(lab_state(lab, first), "RUNNING");

    /* The QOS has not forgotten. */
    set_limit(&desk, "qos", "grp_wall", "10");
    next = lab_submit(lab, "time=60 mem=1");
    ck_assert_str_eq(lab_reason(lab, next), "QOSGrpWallLimit");
    change = (struct qos_record){ .usage_resets = 1, .reset_on = &elsewhere, .reset_on_n = 1 };
    set_qos(&desk, "work", "usage_resets reset_on", change);
    ck_assert_int_eq(send(&desk, 0), 0);
    ck_assert_str_eq(lab_reason(lab, next), "QOSGrpWallLimit");
    change = (struct qos_record){ .usage_resets = 2 };
    set_qos(&desk, "work", "usage_resets reset_on", change);
    ck_assert_int_eq(send(&desk, 0), 0);
    ck_assert_str_eq(lab_state(lab, next), "RUNNING");
    desk_free(&desk);
}
END_TEST

CHECK_MAIN(limit_use, LOOP_CASE(a_limit_in_minutes_lets_jobs_wait, ARRAY_N(rows)),
           CASE(jobs_end_when_all_is_used_and_none_starts), CASE(decay_makes_room),
           CASE(it_is_told_that_a_limit_is_used_up_before_the_planned_start),
           CASE(it_is_told_when_decay_will_have_made_room),
           CASE(what_a_job_did_not_use_is_free_for_the_next),
           CASE(usage_that_is_forgotten_lets_jobs_start))
