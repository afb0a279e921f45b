/* Limits that let a job start, but not wait with the best: whose age counts (MaxJobsAccrue and the
 * like), who gets a place in the future (MinPrioThreshold, NoReserve), and whose share is large
 * enough (UsageThreshold). What is expected was seen on a Slurm 22.05. */
#include "unit/check_main.h"

#include "unit/ctld/control/limit_desk.h"

/* ---- whose age counts ---- */

#define AGEING ENFORCED " multifactor=1 weight_age=1000 max_age=100"

/* Fills both nodes, so that all that follows waits. */
static uint32_t fill_all(struct lab *lab)
{
    return lab_submit_as(lab, BOB, "time=36000 nodes=2 ntasks=8 mem=1 qos=normal");
}

/* Returns since when the job's age counts, in seconds after the first moment of the lab; -1: it
 * does not. */
static int64_t ages_from(struct lab *lab, uint32_t id)
{
    const struct job_record *rec = &lab_job(lab, id)->rec;

    if (rec->accrues_not)
        return -1;
    return (rec->accrue_time ? rec->accrue_time : rec->eligible_time) - rec->submit_time;
}

static const struct {
    const char *level, *member;
    bool counts_bob; /* his jobs are counted with ann's */
} accruals[] = {
    { "user", "max_jobs_accrue", false },
    { "user", "grp_jobs_accrue", false },
    { "account", "max_jobs_accrue", false },
    { "account", "grp_jobs_accrue", true },
    { "root", "grp_jobs_accrue", true },
    { "qos", "max_jobs_accrue_per_user", false },
    { "qos", "max_jobs_accrue_per_account", true },
    { "qos", "grp_jobs_accrue", true },
};

START_TEST(so_many_jobs_grow_older)
{
    struct desk desk = limit_desk(AGEING);
    struct lab *lab = desk.lab;
    uint32_t first, second, bobs;

    fill_all(lab);
    set_limit(&desk, accruals[_i].level, accruals[_i].member, "1");
    first = lab_submit(lab, "mem=1");
    second = lab_submit(lab, "mem=1");
    bobs = lab_submit_as(lab, BOB, "mem=1");
    ck_assert_int_eq(ages_from(lab, first), 0);
    ck_assert_int_eq(ages_from(lab, second), -1);
    ck_assert_int_eq(ages_from(lab, bobs), accruals[_i].counts_bob ? -1 : 0);

    /* The place goes to the next, whose age counts from that moment on. */
    lab_wait(lab, 20);
    lab_cancel(lab, first);
    ck_assert_int_eq(ages_from(lab, second), 20);
    ck_assert_int_eq(ages_from(lab, bobs), accruals[_i].counts_bob ? -1 : 0);
    desk_free(&desk);
}
END_TEST

START_TEST(a_limit_of_the_partitions_qos_bounds_no_age)
{
    struct desk desk = limit_desk(AGEING);

    fill_all(desk.lab);
    set_limit(&desk, "partqos", "grp_jobs_accrue", "0");
    ck_assert_int_eq(ages_from(desk.lab, lab_submit(desk.lab, "mem=1")), 0);
    desk_free(&desk);
}
END_TEST

START_TEST(who_is_held_loses_his_place_and_a_lowered_limit_takes_none)
{
    struct desk desk = limit_desk(AGEING);
    struct lab *lab = desk.lab;
    uint32_t first, second;

    fill_all(lab);
    set_limit(&desk, "user", "max_jobs_accrue", "2");
    first = lab_submit(lab, "mem=1");
    second = lab_submit(lab, "mem=1");
    set_limit(&desk, "user", "max_jobs_accrue", "1");
    ck_assert_int_eq(ages_from(lab, second), 0);
    lab_hold(lab, ANN, first, HOLD);
    lab_hold(lab, ANN, first, HOLD_RELEASE);
    ck_assert_int_eq(ages_from(lab, first), -1);
    ck_assert_int_eq(ages_from(lab, second), 0);
    desk_free(&desk);
}
END_TEST

START_TEST(who_has_no_place_gains_no_priority_by_age)
{
    struct desk desk = limit_desk(AGEING);
    struct lab *lab = desk.lab;
    uint32_t first, second;

    fill_all(lab);
    set_limit(&desk, "user", "max_jobs_accrue", "1");
    first = lab_submit(lab, "mem=1");
    second = lab_submit(lab, "mem=1");
    lab_wait(lab, 400);
    ck_assert_uint_ge(lab_job(lab, first)->rec.priority, 1000);
    ck_assert_uint_lt(lab_job(lab, second)->rec.priority, 1000);
    desk_free(&desk);
}
END_TEST

START_TEST(each_task_of_an_array_counts)
{
    struct desk desk = limit_desk(AGEING);
    struct lab *lab = desk.lab;
    uint32_t array, n = 0;

    fill_all(lab);
    set_limit(&desk, "user", "max_jobs_accrue", "2");
    array = lab_submit(lab, "array=1-3 mem=1");
    for (const struct job *job = lab->control->model->jobs; job; job = job->hh.next)
        n += job->rec.array_job_id == array && !job->rec.accrues_not;
    ck_assert_uint_eq(n, 2);
    desk_free(&desk);
}
END_TEST

/* ---- who gets a place in the future ---- */

static int64_t planned_start(struct lab *lab, uint32_t id)
{
    AUTO(job_info) struct job_info info;

    control_job_info(lab->control, lab->now, lab_job(lab, id), &info);
    return info.planned_start;
}

static void expect_place(struct desk *desk, bool expected)
{
    struct lab *lab = desk->lab;
    uint32_t job;

    lab_submit_as(lab, BOB, "time=600 nodes=2 ntasks=8 mem=1 qos=normal");
    job = lab_submit(lab, "time=600 nodes=2 ntasks=8 mem=1");
    ck_assert_str_eq(lab_state(lab, job), "PENDING");
    ck_assert_int_eq(planned_start(lab, job) != 0, expected);
}

START_TEST(below_the_least_priority_there_is_no_place)
{
    struct desk desk = limit_desk(ENFORCED);

    set_limit(&desk, _i ? "qos" : "account", "min_prio_threshold", "4294967000");
    expect_place(&desk, false);
    desk_free(&desk);
}
END_TEST

START_TEST(a_job_of_a_qos_without_reserve_gets_no_place_and_starts_when_it_can)
{
    struct desk desk = limit_desk("");
    struct lab *lab = desk.lab;
    uint32_t job;

    set_qos(&desk, "work", "flags", (struct qos_record){ .flags = QOS_NO_RESERVE });
    ck_assert_int_eq(send(&desk, 0), 0);
    expect_place(&desk, false);
    job = lab_submit_as(lab, BOB, "time=600 nodes=2 ntasks=8 mem=1 qos=normal");
    ck_assert_int_ne(planned_start(lab, job), 0);
    desk_free(&desk);
}
END_TEST

START_TEST(who_is_not_limited_gets_a_place)
{
    struct desk desk = limit_desk(ENFORCED);

    set_limit(&desk, "account", "min_prio_threshold", "1");
    expect_place(&desk, true);
    desk_free(&desk);
}
END_TEST

/* ---- whose share is large enough ---- */

START_TEST(who_has_used_too_much_waits_for_the_usage_threshold)
{
    struct desk desk = limit_desk(ENFORCED " multifactor=1 weight_fair=1000");
    struct lab *lab = desk.lab;
    struct qos_record qos = { .flags = QOS_ENFORCE_USAGE_THRESHOLD };
    uint32_t job;

    set_limit(&desk, "qos", "usage_threshold", "2000000");
    ck_assert_str_eq(lab_state(lab, lab_submit(lab, "mem=1")), "RUNNING"); /* without the flag */
    set_qos(&desk, "work", "flags", qos);
    ck_assert_int_eq(send(&desk, 0), 0);
    job = lab_submit(lab, "mem=1");
    ck_assert_str_eq(lab_reason(lab, job), "QOSUsageThreshold");
    set_limit(&desk, "qos", "usage_threshold", "1000");
    ck_assert_str_eq(lab_state(lab, job), "RUNNING");
    desk_free(&desk);
}
END_TEST

/* ---- UsageFactorSafe ---- */

static const struct {
    const char *level, *member, *limit, *jobs, *plain, *safe;
} factors[] = {
    { "qos", "max_wall_per_job", "20", "time=900 mem=1 ; time=480 mem=1", "RUNNING RUNNING",
      "QOSMaxWallDurationPerJobLimit RUNNING" },
    { "user", "max_tres_mins_per_job", "cpu=20", "time=900 mem=1 ; time=480 mem=1",
      "RUNNING RUNNING", "AssocMaxCpuMinutesPerJobLimit RUNNING" },
    { "qos", "grp_tres_run_mins", "cpu=30", "time=480 mem=1 ; time=480 mem=1", "RUNNING RUNNING",
      "RUNNING QOSGrpCPURunMinutesLimit" },
    { "user", "grp_tres_run_mins", "cpu=20", "time=900 mem=1 ; time=480 mem=1",
      "RUNNING AssocGrpCPURunMinutesLimit", "AssocGrpCPURunMinutesLimit RUNNING" },
};

START_TEST(what_is_foreseen_counts_by_usage_factor_if_the_qos_wants_it)
{
    for (uint32_t is_safe = 0; is_safe < 2; is_safe++) {
        struct desk desk = limit_desk(ENFORCED);
        AUTO_FREE char *became = NULL;
        struct qos_record qos = { .usage_factor_above_1 = 1000000,
                                  .flags = is_safe ? QOS_USAGE_FACTOR_SAFE : 0 };

        set_qos(&desk, "work", "flags usage_factor_above_1", qos);
        ck_assert_int_eq(send(&desk, 0), 0);
        set_limit(&desk, factors[_i].level, factors[_i].member, factors[_i].limit);
        became = submit_all(&desk, factors[_i].jobs);
        ck_assert_str_eq(became, is_safe ? factors[_i].safe : factors[_i].plain);
        desk_free(&desk);
    }
}
END_TEST

CHECK_MAIN(limit_place, LOOP_CASE(so_many_jobs_grow_older, ARRAY_N(accruals)),
           CASE(a_limit_of_the_partitions_qos_bounds_no_age),
           CASE(who_is_held_loses_his_place_and_a_lowered_limit_takes_none),
           CASE(who_has_no_place_gains_no_priority_by_age), CASE(each_task_of_an_array_counts),
           LOOP_CASE(below_the_least_priority_there_is_no_place, 2),
           CASE(a_job_of_a_qos_without_reserve_gets_no_place_and_starts_when_it_can),
           CASE(who_is_not_limited_gets_a_place),
           CASE(who_has_used_too_much_waits_for_the_usage_threshold),
           LOOP_CASE(what_is_foreseen_counts_by_usage_factor_if_the_qos_wants_it, ARRAY_N(factors)))
