/* Limits and partitions: QOS that let jobs exceed limits of a partition, and jobs that name several
 * partitions. What is expected was seen on a Slurm 22.05 (tests/cluster/limit). main has no time
 * limit, debug one of 30 minutes; main has the QOS part. */
#include "unit/check_main.h"

#include "unit/ctld/control/limit_desk.h"

#define PART "partqos"

/* ---- flags of a QOS ---- */

static void set_flags(struct desk *desk, const char *qos, uint32_t flags)
{
    set_qos(desk, qos, "flags", (struct qos_record){ .flags = flags });
    ck_assert_int_eq(send(desk, 0), 0);
}

START_TEST(a_qos_lets_jobs_exceed_the_time_limit_of_a_partition)
{
    struct desk desk = limit_desk(ENFORCED);
    struct lab *lab = desk.lab;
    const uint32_t job = lab_submit(lab, "part=debug time=3600 mem=1");

    ck_assert_str_eq(lab_reason(lab, job), "PartitionTimeLimit");
    set_flags(&desk, "part", QOS_PARTITION_TIME_LIMIT); /* it is not the job's */
    ck_assert_str_eq(lab_reason(lab, job), "PartitionTimeLimit");
    set_flags(&desk, "work", QOS_PARTITION_TIME_LIMIT);
    ck_assert_str_eq(lab_state(lab, job), "RUNNING");
    desk_free(&desk);
}
END_TEST

START_TEST(a_qos_lets_jobs_exceed_the_nodes_of_a_partition)
{
    struct desk desk = limit_desk(ENFORCED " max_nodes=1");
    struct lab *lab = desk.lab;
    const uint32_t job = lab_submit(lab, "nodes=2 mem=1");

    ck_assert_str_eq(lab_reason(lab, job), "PartitionNodeLimit");
    set_flags(&desk, "work", QOS_PARTITION_MAX_NODES);
    ck_assert_str_eq(lab_state(lab, job), "RUNNING");
    ck_assert_uint_eq(lab_job(lab, job)->rec.nodes_n, 2);
    desk_free(&desk);
}
END_TEST

START_TEST(a_qos_lets_jobs_have_fewer_nodes_than_a_partition_wants)
{
    struct desk desk = limit_desk(ENFORCED " min_nodes=2");
    struct lab *lab = desk.lab;
    uint32_t job = lab_submit(lab, "mem=1");

    ck_assert_uint_eq(lab_job(lab, job)->rec.nodes_n, 2);
    set_flags(&desk, "work", QOS_PARTITION_MIN_NODES);
    job = lab_submit(lab, "mem=1");
    ck_assert_uint_eq(lab_job(lab, job)->rec.nodes_n, 1);
    desk_free(&desk);
}
END_TEST

START_TEST(flags_of_a_qos_count_where_nothing_is_enforced)
{
    struct desk desk = limit_desk("");

    set_flags(&desk, "work", QOS_PARTITION_TIME_LIMIT);
    ck_assert_str_eq(
        lab_state(desk.lab, lab_submit(desk.lab, "part=debug time=3600 mem=1 qos=work")),
        "RUNNING");
    desk_free(&desk);
}
END_TEST

/* ---- several partitions ---- */

/* A limit of main's QOS, with its flags, and what becomes of jobs. */
static const struct {
    const char *member, *value;
    uint32_t flags;
    const char *jobs, *becomes;
} rows[] = {
    { "max_jobs_per_user", "0", 0, "part=main,debug mem=1 ; part=debug,main mem=1",
      "RUNNING RUNNING" },
    { "max_tres_per_job", "cpu=1", 0, "part=main,debug ntasks=2 ; part=main ntasks=2",
      "RUNNING QOSMaxCpuPerJobLimit" },
    { "grp_tres", "cpu=1", 0, "mem=1 ; part=main,debug mem=1 ; mem=1",
      "RUNNING RUNNING QOSGrpCpuLimit" },
    { "max_wall_per_job", "10", 0, "part=main,debug time=1200 mem=1", "RUNNING" },
    { "max_submit_per_user", "1", 0,
      "mem=1 ; part=main,debug mem=1 ; part=debug,main mem=1 ; part=debug mem=1",
      "RUNNING E2050 E2050 RUNNING" },
    { "max_submit_per_user", "1", 0, "part=debug,main mem=1 ; mem=1 ; mem=1",
      "RUNNING RUNNING E2050" },
    { "max_wall_per_job", "10", QOS_DENY_ON_LIMIT,
      "time=1200 mem=1 ; part=debug,main time=1200 mem=1 ; part=debug time=1200 mem=1",
      "E2050 E2050 RUNNING" },
    { "max_wall_per_job", "10", QOS_DENY_ON_LIMIT, "time=1200 time_min=60 mem=1", "E2050" },
};

START_TEST(limits_of_all_named_partitions_count)
{
    struct desk desk = limit_desk(ENFORCED);
    AUTO_FREE char *became = NULL;

    set_flags(&desk, "part", rows[_i].flags);
    set_limit(&desk, PART, rows[_i].member, rows[_i].value);
    became = submit_all(&desk, rows[_i].jobs);
    ck_assert_msg(strcmp(became, rows[_i].becomes) == 0, "%s=%s: %s: %s, not %s", rows[_i].member,
                  rows[_i].value, rows[_i].jobs, became, rows[_i].becomes);
    desk_free(&desk);
}
END_TEST

/* debug gives 30 minutes, main any time. */
static const struct {
    uint32_t flags;
    const char *job;
    int64_t limit_s;
} bounded[] = {
    { 0, "part=debug time=3600 time_min=60 mem=1", 1800 },
    { 0, "part=debug time=600 time_min=60 mem=1", 600 },
    { 0, "part=main time=3600 time_min=60 mem=1", 3600 },
    { 0, "part=debug,main time=3600 time_min=60 mem=1", 1800 },
    { 0, "part=main,debug time=3600 time_min=60 mem=1", 3600 },
    { QOS_PARTITION_TIME_LIMIT, "part=debug time=3600 time_min=60 mem=1", 3600 },
};

START_TEST(a_job_that_can_do_with_less_gets_no_more_than_its_partition_gives)
{
    struct desk desk = limit_desk(ENFORCED);
    uint32_t job;

    set_flags(&desk, "work", bounded[_i].flags);
    job = lab_submit(desk.lab, bounded[_i].job);
    ck_assert_str_eq(lab_state(desk.lab, job), "RUNNING");
    ck_assert_int_eq(lab_job(desk.lab, job)->rec.spec->time_limit, bounded[_i].limit_s);
    desk_free(&desk);
}
END_TEST

/* Sets a field of the job's spec as root; returns the error or "". */
static const char *change(struct lab *lab, uint32_t job, uint32_t tag, const char *spec)
{
    AUTO(job_update) struct job_update update;

    job_update_init(&update);
    update.job_id = job;
    update.spec = xmalloc(sizeof(*update.spec));
    lab_job_spec(spec, update.spec);
    *ARRAY_PUSH(update.set, update.set_n) = tag;
    return lab_change(lab, 0, &update);
}

/* It was held for its time limit; that it could do with less does not let it exceed the limit. */
START_TEST(no_change_lets_a_job_that_can_do_with_less_exceed_a_limit)
{
    struct desk desk = limit_desk(ENFORCED);
    struct lab *lab = desk.lab;
    uint32_t job;

    set_limit(&desk, "qos", "max_wall_per_job", "10");
    job = lab_submit(lab, "time=300 hold=1 mem=1");
    ck_assert_str_eq(change(lab, job, SPEC_TAG_time_min, "time_min=60"), "");
    ck_assert_str_eq(change(lab, job, SPEC_TAG_time_limit, "time=6000"), "");
    lab_hold(lab, 0, job, HOLD_RELEASE);
    ck_assert_str_eq(lab_reason(lab, job), "QOSMaxWallDurationPerJobLimit");
    desk_free(&desk);
}
END_TEST

START_TEST(a_job_without_time_limit_has_that_of_the_partition_that_starts_it)
{
    struct desk desk = limit_desk(ENFORCED);
    struct lab *lab = desk.lab;
    uint32_t job;

    job = lab_submit(lab, "part=main,debug mem=1");
    ck_assert_str_eq(lab_job(lab, job)->rec.partition, "main");
    ck_assert_int_eq(lab_job(lab, job)->rec.spec->time_limit, LIMIT_INFINITE);
    set_limit(&desk, PART, "max_jobs_per_user", "1");
    job = lab_submit(lab, "part=main,debug mem=1");
    ck_assert_str_eq(lab_job(lab, job)->rec.partition, "debug");
    ck_assert_int_eq(lab_job(lab, job)->rec.spec->time_limit, 1800);
    /* The limits on time of all partitions hold, wherever it starts. */
    set_limit(&desk, PART, "max_wall_per_job", "10");
    job = lab_submit(lab, "part=debug,main mem=1");
    ck_assert_str_eq(lab_job(lab, job)->rec.partition, "debug");
    ck_assert_int_eq(lab_job(lab, job)->rec.spec->time_limit, 600);
    desk_free(&desk);
}
END_TEST

START_TEST(who_waits_for_another_partitions_limit_starts_when_it_is_raised)
{
    struct desk desk = limit_desk(ENFORCED);
    struct lab *lab = desk.lab;
    uint32_t job;

    set_limit(&desk, PART, "max_tres_per_job", "cpu=1");
    job = lab_submit(lab, "part=debug,main time=3600 ntasks=2 mem=1");
    ck_assert_str_eq(lab_reason(lab, job), "QOSMaxCpuPerJobLimit");
    set_limit(&desk, PART, "max_tres_per_job", "cpu=2");
    ck_assert_str_eq(lab_state(lab, job), "RUNNING");
    ck_assert_str_eq(lab_job(lab, job)->rec.partition, "main");
    desk_free(&desk);
}
END_TEST

/* A limit on TRES times minutes bounds the time of jobs that would be refused for it. */
START_TEST(deny_on_limit_bounds_the_time_of_a_job_that_names_none)
{
    struct desk desk = limit_desk(ENFORCED);
    struct lab *lab = desk.lab;
    uint32_t job;

    set_limit(&desk, "qos", "grp_tres_run_mins", "cpu=20");
    ck_assert_str_eq(lab_reason(lab, lab_submit(lab, "mem=1")), "QOSGrpCPURunMinutesLimit");
    set_flags(&desk, "work", QOS_DENY_ON_LIMIT);
    job = lab_submit(lab, "ntasks=2 mem=1");
    ck_assert_int_eq(lab_job(lab, job)->rec.spec->time_limit, 600);
    set_limit(&desk, "user", "max_tres_mins_per_job", "cpu=10");
    job = lab_submit(lab, "ntasks=2 mem=1");
    ck_assert_int_eq(lab_job(lab, job)->rec.spec->time_limit, 300);
    desk_free(&desk);
}
END_TEST

CHECK_MAIN(limit_parts, CASE(a_qos_lets_jobs_exceed_the_time_limit_of_a_partition),
           CASE(a_qos_lets_jobs_exceed_the_nodes_of_a_partition),
           CASE(a_qos_lets_jobs_have_fewer_nodes_than_a_partition_wants),
           CASE(flags_of_a_qos_count_where_nothing_is_enforced),
           LOOP_CASE(limits_of_all_named_partitions_count, ARRAY_N(rows)),
           LOOP_CASE(a_job_that_can_do_with_less_gets_no_more_than_its_partition_gives,
                     ARRAY_N(bounded)),
           CASE(no_change_lets_a_job_that_can_do_with_less_exceed_a_limit),
           CASE(a_job_without_time_limit_has_that_of_the_partition_that_starts_it),
           CASE(who_waits_for_another_partitions_limit_starts_when_it_is_raised),
           CASE(deny_on_limit_bounds_the_time_of_a_job_that_names_none))
