/* Limits of associations and QOS: what a job waits for, and which of several limits counts. What is
 * expected was seen on a Slurm 22.05 (tests/cluster/limit). */
#include "unit/check_main.h"

#include "unit/ctld/control/limit_desk.h"

#define USER    "user"
#define ACCOUNT "account"
#define ABOVE   "above"
#define ROOT    "root"
#define QOS     "qos"
#define PART    "partqos"

/* ---- each limit by itself ---- */

static const struct limited rows[] = {
    { USER, "grp_tres", "cpu=2", "ntasks=2 ; ntasks=1", "RUNNING AssocGrpCpuLimit" },
    { USER, "grp_tres", "cpu=2", "ntasks=3", "AssocGrpCpuLimit" },
    { USER, "grp_tres", "cpu=2", "ntasks=2 ; @bob ntasks=2", "RUNNING RUNNING" },
    { USER, "grp_tres", "mem=200", "mem=150 ; mem=100", "RUNNING AssocGrpMemLimit" },
    { USER, "grp_tres", "node=1", "nodes=1 mem=10 ; nodes=1 mem=10", "RUNNING RUNNING" },
    { USER, "grp_tres", "node=1", "nodes=2", "AssocGrpNodeLimit" },
    { USER, "grp_tres", "gres/gpu=1", "gres=gpu:1 mem=1 ; gres=gpu:1 mem=1",
      "RUNNING AssocGrpGRES" },
    { USER, "grp_tres", "license/matlab=1", "licenses=matlab mem=1 ; licenses=matlab mem=1",
      "RUNNING AssocGrpLicense" },
    { USER, "grp_tres", "billing=2", "ntasks=2 mem=1 ; ntasks=1 mem=1", "RUNNING AssocGrpBilling" },
    { USER, "grp_tres_run_mins", "cpu=20", "time=900 mem=1 ; time=600 mem=1",
      "RUNNING AssocGrpCPURunMinutesLimit" },
    { USER, "grp_tres_run_mins", "cpu=20", "time=1800 mem=1", "AssocGrpCPURunMinutesLimit" },
    { USER, "grp_tres_run_mins", "cpu=20", "mem=1", "AssocGrpCPURunMinutesLimit" },
    { USER, "grp_tres_run_mins", "node=20", "time=900 mem=1 ; time=600 mem=1",
      "RUNNING AssocGrpNodeRunMinutes" },
    { USER, "grp_jobs", "1", "mem=1 ; mem=1", "RUNNING AssocGrpJobsLimit" },
    { USER, "grp_jobs", "0", "mem=1", "AssocGrpJobsLimit" },
    { USER, "max_tres_per_job", "cpu=1", "ntasks=2", "AssocMaxCpuPerJobLimit" },
    { USER, "max_tres_per_job", "cpu=3", "nodes=1 exclusive=1 mem=1", "AssocMaxCpuPerJobLimit" },
    { USER, "max_tres_per_job", "mem=200", "mem=300", "AssocMaxMemPerJob" },
    { USER, "max_tres_per_job", "node=1", "nodes=2", "AssocMaxNodePerJobLimit" },
    { USER, "max_tres_per_job", "gres/gpu=1", "gres=gpu:2", "AssocMaxGRESPerJob" },
    { USER, "max_tres_per_node", "cpu=1", "nodes=1 ntasks=2", "AssocMaxCpuPerNode" },
    { USER, "max_tres_per_node", "cpu=1", "nodes=2 ntasks=2", "RUNNING" },
    { USER, "max_tres_mins_per_job", "cpu=10", "time=1200", "AssocMaxCpuMinutesPerJobLimit" },
    { USER, "max_tres_mins_per_job", "cpu=10", "mem=1", "AssocMaxCpuMinutesPerJobLimit" },
    { USER, "max_jobs", "1", "mem=1 ; mem=1 ; @bob mem=1", "RUNNING AssocMaxJobsLimit RUNNING" },
    { USER, "max_wall_per_job", "10", "time=1200", "AssocMaxWallDurationPerJobLimit" },
    { USER, "max_wall_per_job", "10", "time=1200 time_min=60", "AssocMaxWallDurationPerJobLimit" },
    { USER, "max_tres_mins_per_job", "cpu=10", "time=1200 time_min=60",
      "AssocMaxCpuMinutesPerJobLimit" },
    { USER, "max_submit_jobs", "1", "mem=1 ; mem=1 ; @bob mem=1", "RUNNING E2050 RUNNING" },
    { USER, "max_submit_jobs", "3", "array=1-3 mem=1 ; mem=1", "RUNNING E2050" },
    { USER, "max_submit_jobs", "3", "array=1-4 mem=1 ; mem=1", "E2050 RUNNING" },
    { USER, "grp_submit_jobs", "0", "mem=1", "E2050" },
    { ACCOUNT, "grp_tres", "cpu=2", "ntasks=2 ; @bob ntasks=1", "RUNNING AssocGrpCpuLimit" },
    { ACCOUNT, "max_jobs", "1", "mem=1 ; mem=1 ; @bob mem=1", "RUNNING AssocMaxJobsLimit RUNNING" },
    { ACCOUNT, "grp_submit_jobs", "2", "mem=1 ; @bob mem=1 ; @bob mem=1", "RUNNING RUNNING E2050" },
    { ACCOUNT, "max_submit_jobs", "1", "mem=1 ; @bob mem=1 ; @bob mem=1", "RUNNING RUNNING E2050" },
    { ABOVE, "grp_jobs", "1", "mem=1 ; @bob mem=1", "RUNNING AssocGrpJobsLimit" },
    { ROOT, "grp_tres", "cpu=2", "ntasks=2 ; @bob ntasks=1", "RUNNING AssocGrpCpuLimit" },
    { QOS, "grp_tres", "cpu=2", "ntasks=2 ; @bob ntasks=1", "RUNNING QOSGrpCpuLimit" },
    { QOS, "grp_tres", "cpu=2", "ntasks=2 ; qos=normal ntasks=1", "RUNNING RUNNING" },
    { QOS, "grp_tres_run_mins", "mem=2000", "mem=100 time=900 ; mem=100 time=600",
      "RUNNING QOSGrpMemoryRunMinutes" },
    { QOS, "grp_jobs", "1", "mem=1 ; mem=1", "RUNNING QOSGrpJobsLimit" },
    { QOS, "max_jobs_per_user", "1", "mem=1 ; mem=1 ; @bob mem=1",
      "RUNNING QOSMaxJobsPerUserLimit RUNNING" },
    { QOS, "max_jobs_per_account", "1", "mem=1 ; @bob mem=1", "RUNNING MaxJobsPerAccount" },
    { QOS, "max_wall_per_job", "10", "time=1200", "QOSMaxWallDurationPerJobLimit" },
    { QOS, "max_tres_per_user", "cpu=2", "ntasks=2 ; ntasks=1 ; @bob ntasks=2",
      "RUNNING QOSMaxCpuPerUserLimit RUNNING" },
    { QOS, "max_tres_per_user", "node=1", "nodes=2", "QOSMaxNodePerUserLimit" },
    { QOS, "max_tres_per_account", "cpu=2", "ntasks=2 ; @bob ntasks=1",
      "RUNNING MaxCpuPerAccount" },
    { QOS, "min_tres_per_job", "cpu=2", "ntasks=1 ; ntasks=2", "QOSMinCpuNotSatisfied RUNNING" },
    { QOS, "min_tres_per_job", "gres/gpu=1", "mem=1", "QOSMinGRES" },
    { QOS, "max_submit_per_user", "1", "mem=1 ; mem=1 ; @bob mem=1", "RUNNING E2050 RUNNING" },
    { QOS, "max_submit_per_account", "1", "mem=1 ; @bob mem=1", "RUNNING E2050" },
    { PART, "grp_jobs", "1", "mem=1 ; mem=1", "RUNNING QOSGrpJobsLimit" },
    { PART, "grp_jobs", "1", "mem=1 ; part=debug time=60 mem=1", "RUNNING RUNNING" },
    { PART, "grp_jobs", "1", "mem=1 ; part=main,debug time=60 mem=1", "RUNNING RUNNING" },
    { PART, "max_tres_per_job", "cpu=1", "ntasks=2", "QOSMaxCpuPerJobLimit" },
};

START_TEST(a_limit_lets_jobs_wait_with_slurms_reason)
{
    expect_limited(ENFORCED, &rows[_i]);
}
END_TEST

/* ---- which of two counts ---- */

/* The first limit is strict, the second loose; a job that runs tells that the loose one counts. */
static const struct {
    const char *member, *strict_at, *strict, *loose_at, *loose, *jobs, *becomes;
} pairs[] = {
#define MOST(strict_at, loose_at, becomes)                                                         \
    {                                                                                              \
        "max_tres_per_job", strict_at, "cpu=1", loose_at, "cpu=3", "ntasks=2", becomes             \
    }
    MOST(USER, ACCOUNT, "AssocMaxCpuPerJobLimit"), /* the nearest */
    MOST(ACCOUNT, USER, "RUNNING"),
    MOST(ABOVE, ACCOUNT, "RUNNING"),
    MOST(ACCOUNT, ROOT, "AssocMaxCpuPerJobLimit"),
    MOST(QOS, USER, "QOSMaxCpuPerJobLimit"), /* the QOS */
    MOST(USER, QOS, "RUNNING"),
    MOST(PART, QOS, "QOSMaxCpuPerJobLimit"), /* the partition's */
    MOST(QOS, PART, "RUNNING"),
    MOST(USER, PART, "RUNNING"),
#define GROUP(strict_at, loose_at, becomes)                                                        \
    {                                                                                              \
        "grp_tres", strict_at, "cpu=2", loose_at, "cpu=4", "ntasks=3", becomes                     \
    }
    GROUP(USER, ACCOUNT, "AssocGrpCpuLimit"), /* all of them */
    GROUP(ACCOUNT, USER, "AssocGrpCpuLimit"),
    GROUP(ROOT, USER, "AssocGrpCpuLimit"),
    GROUP(QOS, USER, "QOSGrpCpuLimit"), /* the QOS */
    GROUP(USER, QOS, "RUNNING"),
    GROUP(ROOT, PART, "RUNNING"),
    GROUP(QOS, PART, "RUNNING"),
#define JOBS(strict_at, loose_at, becomes)                                                         \
    {                                                                                              \
        "grp_jobs", strict_at, "1", loose_at, "3", "mem=1 ; mem=1", becomes                        \
    }
    JOBS(ACCOUNT, USER, "RUNNING AssocGrpJobsLimit"),
    JOBS(USER, QOS, "RUNNING RUNNING"),
    JOBS(QOS, PART, "RUNNING RUNNING"),
};

START_TEST(of_two_limits_slurms_order_says_which_counts)
{
    struct desk desk = limit_desk(ENFORCED);
    AUTO_FREE char *became = NULL;

    set_limit(&desk, pairs[_i].strict_at, pairs[_i].member, pairs[_i].strict);
    set_limit(&desk, pairs[_i].loose_at, pairs[_i].member, pairs[_i].loose);
    became = submit_all(&desk, pairs[_i].jobs);
    ck_assert_msg(strcmp(became, pairs[_i].becomes) == 0, "%s at %s and %s: %s, not %s",
                  pairs[_i].member, pairs[_i].strict_at, pairs[_i].loose_at, became,
                  pairs[_i].becomes);
    desk_free(&desk);
}
END_TEST

START_TEST(a_qos_may_go_before_that_of_the_partition)
{
    struct desk desk = limit_desk(ENFORCED);
    AUTO_FREE char *became = NULL;

    set_limit(&desk, PART, "max_tres_per_job", "cpu=1");
    set_limit(&desk, QOS, "max_tres_per_job", "cpu=3");
    set_qos(&desk, "work", "flags", (struct qos_record){ .flags = QOS_OVER_PARTITION_QOS });
    ck_assert_int_eq(send(&desk, 0), 0);
    became = submit_all(&desk, "ntasks=2");
    ck_assert_str_eq(became, "RUNNING");
    desk_free(&desk);
}
END_TEST

/* ---- over time ---- */

START_TEST(a_job_starts_when_its_limit_lets_it)
{
    struct desk desk = limit_desk(ENFORCED);
    struct lab *lab = desk.lab;
    uint32_t first, second, third;

    set_limit(&desk, USER, "max_jobs", "1");
    first = lab_submit(lab, "time=600 mem=1");
    second = lab_submit(lab, "time=600 mem=1");
    third = lab_submit(lab, "time=600 mem=1");
    ck_assert_str_eq(lab_reason(lab, second), "AssocMaxJobsLimit");
    lab_exit(lab, first, STEP_BATCH, 0);
    ck_assert_str_eq(lab_state(lab, second), "RUNNING");
    ck_assert_str_eq(lab_reason(lab, third), "AssocMaxJobsLimit");

    /* A limit that is raised acts at once. */
    set_limit(&desk, USER, "max_jobs", "2");
    ck_assert_str_eq(lab_state(lab, third), "RUNNING");
    desk_free(&desk);
}
END_TEST

START_TEST(a_limit_on_what_is_held_is_told_with_who_holds_it)
{
    struct desk desk = limit_desk(ENFORCED);
    struct lab *lab = desk.lab;
    uint32_t waits, never;

    set_limit(&desk, ACCOUNT, "grp_tres", "cpu=2");
    lab_submit(lab, "time=600 mem=1");
    lab_submit(lab, "time=600 mem=1");
    waits = lab_submit(lab, "time=600 mem=1");
    never = lab_submit(lab, "time=600 ntasks=3 mem=1");

    ck_assert_str_eq(lab_reason_text(lab, waits),
                     "AssocGrpCpuLimit: GrpTRES=cpu=2 of account organic, held by jobs 1, 2");
    ck_assert_str_eq(
        lab_reason_text(lab, never),
        "AssocGrpCpuLimit: GrpTRES=cpu=2 of account organic, under which this job can not start");
    desk_free(&desk);
}
END_TEST

START_TEST(who_needs_a_time_limit_to_start_is_told_so)
{
    struct desk desk = limit_desk(ENFORCED);
    struct lab *lab = desk.lab;
    uint32_t endless;

    set_limit(&desk, "qos", "max_tres_run_mins_per_user", "cpu=7");
    endless = lab_submit(lab, "mem=1");

    ck_assert_str_eq(lab_reason_text(lab, endless),
                     "QOSMaxCpuPerUserLimit: MaxTRESRunMinsPU=cpu=7 of QOS work, under which no "
                     "job without a time limit can start");
    desk_free(&desk);
}
END_TEST

START_TEST(a_limit_that_is_lowered_acts_on_waiting_jobs)
{
    struct desk desk = limit_desk(ENFORCED);
    struct lab *lab = desk.lab;
    uint32_t running, waiting;

    running = lab_submit(lab, "time=600 nodes=2 ntasks=8 mem=1");
    waiting = lab_submit(lab, "time=600 ntasks=3 mem=1");
    ck_assert_str_ne(lab_reason(lab, waiting), "AssocMaxCpuPerJobLimit");
    set_limit(&desk, ACCOUNT, "max_tres_per_job", "cpu=2");
    ck_assert_str_eq(lab_reason(lab, waiting), "AssocMaxCpuPerJobLimit");
    ck_assert_str_eq(lab_reason_text(lab, waiting),
                     "AssocMaxCpuPerJobLimit: MaxTRES=cpu=2 of account organic");
    ck_assert_str_eq(lab_state(lab, running), "RUNNING");
    desk_free(&desk);
}
END_TEST

/* Where a limit on the nodes of one job stands, how many the job names, and how many it has. */
static const struct {
    const char *level, *value, *job;
    uint32_t gets;
} ranges[] = {
    { USER, "node=3", "nodes=1 max_nodes=2 mem=1", 2 },
    { USER, "node=1", "nodes=1 max_nodes=2 mem=1", 1 },
    { QOS, "node=1", "nodes=1 max_nodes=2 mem=1", 1 },
    { PART, "node=1", "nodes=1 max_nodes=2 mem=1", 1 },
    { USER, "cpu=8", "nodes=1 max_nodes=2 mem=1", 2 },
    { USER, "cpu=1", "nodes=1 max_nodes=2 mem=1", 1 },
    { QOS, "cpu=3", "nodes=1 max_nodes=2 cpus=2 mem=1", 1 },
    { PART, "cpu=4", "nodes=1 max_nodes=2 exclusive=1 mem=1", 1 },
    { USER, "node=1", "ntasks=4 mem=1", 1 },
};

START_TEST(a_job_that_can_do_with_less_gets_no_more_nodes_than_a_limit_lets_it)
{
    struct desk desk = limit_desk(ENFORCED);
    uint32_t job;

    set_limit(&desk, ranges[_i].level, "max_tres_per_job", ranges[_i].value);
    job = lab_submit(desk.lab, ranges[_i].job);
    ck_assert_str_eq(lab_state(desk.lab, job), "RUNNING");
    ck_assert_uint_eq(lab_job(desk.lab, job)->rec.nodes_n, ranges[_i].gets);
    desk_free(&desk);
}
END_TEST

START_TEST(a_job_whose_tasks_need_more_nodes_than_a_limit_lets_it_have_is_refused)
{
    struct desk desk = limit_desk(ENFORCED);

    set_limit(&desk, USER, "max_tres_per_job", "node=1");
    ck_assert_uint_eq(lab_submit(desk.lab, "ntasks=8 mem=1"), 0);
    ck_assert_int_eq(desk.lab->rc, -E_NODE_CONFIG);
    set_limit(&desk, USER, "max_tres_per_job", "node=2");
    ck_assert_str_eq(lab_state(desk.lab, lab_submit(desk.lab, "ntasks=8 mem=1")), "RUNNING");
    desk_free(&desk);
}
END_TEST

START_TEST(limits_hold_after_a_restart)
{
    struct desk desk = limit_desk(ENFORCED);
    struct lab *lab = desk.lab;
    uint32_t second;

    set_limit(&desk, USER, "max_submit_jobs", "2");
    set_limit(&desk, USER, "max_jobs", "1");
    lab_submit(lab, "time=600 mem=1");
    second = lab_submit(lab, "time=600 mem=1");
    lab_restart(lab, LIMITS_CLUSTER ENFORCED);
    ck_assert_str_eq(lab_reason(lab, second), "AssocMaxJobsLimit");
    lab_submit(lab, "time=600 mem=1");
    ck_assert_int_eq(lab->rc, -E_ACCT_POLICY);

    /* Where nobody insists, no limit holds. */
    lab_restart(lab, LIMITS_CLUSTER);
    ck_assert_str_eq(lab_state(lab, second), "RUNNING");
    desk_free(&desk);
}
END_TEST

START_TEST(a_job_that_its_own_limit_blocks_keeps_no_nodes_from_others)
{
    struct desk desk = limit_desk(ENFORCED);
    struct lab *lab = desk.lab;
    uint32_t wide, others;

    set_limit(&desk, USER, "max_jobs", "1");
    lab_submit(lab, "time=600 mem=1");
    wide = lab_submit(lab, "time=600 nodes=2 ntasks=8 mem=1");
    others = lab_submit_as(lab, BOB, "time=36000 nodes=2 ntasks=7 mem=1");
    ck_assert_str_eq(lab_reason(lab, wide), "AssocMaxJobsLimit");
    ck_assert_str_eq(lab_state(lab, others), "RUNNING");
    desk_free(&desk);
}
END_TEST

START_TEST(a_job_that_counts_already_may_be_changed)
{
    struct desk desk = limit_desk(ENFORCED);
    struct lab *lab = desk.lab;
    AUTO(job_update) struct job_update request;
    uint32_t job;

    lab_submit(lab, "hold=1 mem=1");
    job = lab_submit(lab, "hold=1 mem=1");
    set_limit(&desk, USER, "max_submit_jobs", "1");
    job_update_init(&request);
    request.job_id = job;
    request.spec = xmalloc(sizeof(*request.spec));
    job_spec_init(request.spec);
    request.spec->ntasks = 2;
    *ARRAY_PUSH(request.set, request.set_n) = SPEC_TAG_ntasks;
    (void)lab_change(lab, ANN, &request);
    ck_assert_int_eq(lab->rc, 0);
    ck_assert_uint_eq(lab_job(lab, job)->rec.spec->ntasks, 2);
    desk_free(&desk);
}
END_TEST

START_TEST(a_job_without_time_limit_gets_what_limits_on_time_leave)
{
    struct desk desk = limit_desk(ENFORCED);
    struct lab *lab = desk.lab;
    uint32_t job;

    set_limit(&desk, ACCOUNT, "max_wall_per_job", "10");
    job = lab_submit(lab, "mem=1");
    ck_assert_str_eq(lab_state(lab, job), "RUNNING");
    ck_assert_int_eq(lab_job(lab, job)->rec.spec->time_limit, 600);
    desk_free(&desk);
}
END_TEST

START_TEST(a_qos_may_refuse_what_could_never_start)
{
    struct desk desk = limit_desk(ENFORCED);
    AUTO_FREE char *became = NULL;

    set_qos(&desk, "work", "flags", (struct qos_record){ .flags = QOS_DENY_ON_LIMIT });
    ck_assert_int_eq(send(&desk, 0), 0);
    set_limit(&desk, USER, "grp_tres", "cpu=2");
    set_limit(&desk, ACCOUNT, "max_tres_per_job", "mem=500");
    set_limit(&desk, ACCOUNT, "grp_jobs", "0");
    became = submit_all(&desk, "ntasks=3 mem=1 ; mem=501 ; mem=1");
    ck_assert_str_eq(became, "E2050 E2050 AssocGrpJobsLimit");
    desk_free(&desk);
}
END_TEST

/* What becomes of a job of 20 minutes. The flag may stand at either QOS, whichever says the limit
 * that counts. */
static const struct {
    uint32_t flags, part_flags;    /* of the job's QOS, and of the partition's */
    const char *user, *qos, *part; /* MaxWall, or NULL */
    const char *becomes;
} denials[] = {
    { QOS_OVER_PARTITION_QOS, QOS_DENY_ON_LIMIT, NULL, "15", "10", "E2050" },
    { QOS_OVER_PARTITION_QOS, QOS_DENY_ON_LIMIT, NULL, "25", "10", "RUNNING" },
    { QOS_OVER_PARTITION_QOS | QOS_DENY_ON_LIMIT, 0, NULL, "15", "10", "E2050" },
    { QOS_OVER_PARTITION_QOS | QOS_DENY_ON_LIMIT, 0, NULL, "25", "10", "RUNNING" },
    { QOS_DENY_ON_LIMIT, 0, NULL, "10", "25", "RUNNING" },
    { QOS_DENY_ON_LIMIT, 0, NULL, NULL, "15", "E2050" },
    { 0, QOS_DENY_ON_LIMIT, NULL, "15", NULL, "E2050" },
    { 0, QOS_DENY_ON_LIMIT, "15", NULL, NULL, "E2050" },
    { QOS_DENY_ON_LIMIT, 0, "15", NULL, NULL, "E2050" },
    { 0, 0, "15", "15", "15", "QOSMaxWallDurationPerJobLimit" },
};

START_TEST(either_qos_may_refuse_what_breaks_any_limit)
{
    struct desk desk = limit_desk(ENFORCED);
    AUTO_FREE char *became = NULL;

    set_qos(&desk, "work", "flags", (struct qos_record){ .flags = denials[_i].flags });
    set_qos(&desk, "part", "flags", (struct qos_record){ .flags = denials[_i].part_flags });
    ck_assert_int_eq(send(&desk, 0), 0);
    if (denials[_i].user)
        set_limit(&desk, USER, "max_wall_per_job", denials[_i].user);
    if (denials[_i].qos)
        set_limit(&desk, QOS, "max_wall_per_job", denials[_i].qos);
    if (denials[_i].part)
        set_limit(&desk, PART, "max_wall_per_job", denials[_i].part);
    became = submit_all(&desk, "time=1200 mem=1");
    ck_assert_str_eq(became, denials[_i].becomes);
    desk_free(&desk);
}
END_TEST

/* ---- memory that is not counted: what jobs name of it binds none, but for a minimum ---- */

static const struct limited uncounted[] = {
    { QOS, "max_tres_per_user", "mem=100", "mem=200 ; ntasks=1", "RUNNING RUNNING" },
    { QOS, "max_tres_per_job", "mem=100", "mem=200 ; ntasks=1", "RUNNING RUNNING" },
    { QOS, "max_tres_per_node", "mem=100", "mem=200 ; ntasks=1", "RUNNING RUNNING" },
    { QOS, "grp_tres", "mem=100", "mem=80 ; mem=80", "RUNNING RUNNING" },
    { QOS, "grp_tres_run_mins", "mem=100", "mem=80 time=600", "RUNNING" },
    { QOS, "max_tres_mins_per_job", "mem=100", "mem=80 time=600", "RUNNING" },
    { ACCOUNT, "grp_tres_mins", "mem=100", "mem=80 time=600", "RUNNING" },
    { QOS, "min_tres_per_job", "mem=300", "mem=200 ; mem=300", "QOSMinMemory RUNNING" },
    { QOS, "max_tres_per_job", "cpu=1", "ntasks=2", "QOSMaxCpuPerJobLimit" },
};

START_TEST(memory_that_is_not_counted_keeps_no_job_waiting)
{
    expect_limited(ENFORCED " share_memory=0", &uncounted[_i]);
}
END_TEST

START_TEST(a_job_is_refused_by_the_memory_that_it_names_though_none_is_counted)
{
    struct desk desk = limit_desk(ENFORCED " share_memory=0");
    AUTO_FREE char *became = NULL;

    set_qos(&desk, "work", "flags", (struct qos_record){ .flags = QOS_DENY_ON_LIMIT });
    ck_assert_int_eq(send(&desk, 0), 0);
    set_limit(&desk, QOS, "max_tres_per_job", "mem=100");
    became = submit_all(&desk, "mem=200 ; mem=100 ; ntasks=1");
    ck_assert_str_eq(became, "E2050 RUNNING E2050");
    desk_free(&desk);
}
END_TEST

/* ---- who may use what ---- */

START_TEST(who_has_no_association_is_refused)
{
    struct desk desk = limit_desk(ENFORCED);
    struct lab *lab = desk.lab;

    lab_submit(lab, "account=chem");
    ck_assert_int_eq(lab->rc, -E_ACCOUNT);
    lab_submit(lab, "account=nowhere qos=nothing");
    ck_assert_int_eq(lab->rc, -E_ACCOUNT);
    lab_submit(lab, "qos=part");
    ck_assert_int_eq(lab->rc, -E_QOS);
    ck_assert_str_eq(lab->err.text, "Invalid qos specification: 'part' may not be used by user ann "
                                    "in account organic");
    lab_submit(lab, "qos=nothing");
    ck_assert_int_eq(lab->rc, -E_QOS);
    ck_assert_str_eq(lab->err.text, "Invalid qos specification: 'nothing' is not there");
    ck_assert_uint_ne(lab_submit(lab, "account=ORGANIC qos=WORK"), 0);
    desk_free(&desk);
}
END_TEST

START_TEST(who_has_no_default_account_is_told_so)
{
    struct desk desk = limit_desk(ENFORCED);

    set_assoc(&desk, "organic", "ann", "is_default", (struct assoc_record){ .is_default = false });
    ck_assert_int_eq(send(&desk, 0), 0);
    lab_submit(desk.lab, "");
    ck_assert_int_eq(desk.lab->rc, -E_ACCOUNT);
    ck_assert_ptr_nonnull(strstr(desk.lab->err.text, "user ann has no default account on cluster"));
    ck_assert_uint_ne(lab_submit(desk.lab, "account=organic"), 0);
    desk_free(&desk);
}
END_TEST

START_TEST(default_account_and_qos_are_filled_in)
{
    struct desk desk = limit_desk("");
    struct lab *lab = desk.lab;
    const struct job_spec *spec = lab_job(lab, lab_submit(lab, "mem=1"))->rec.spec;

    ck_assert_str_eq(spec->account, "organic");
    ck_assert_str_eq(spec->qos, "work");
    /* As in Slurm, who names an account that he is not in gets his own where nobody insists, and an
     * unknown QOS is none. */
    spec = lab_job(lab, lab_submit(lab, "mem=1 account=nowhere qos=nothing"))->rec.spec;
    ck_assert_str_eq(spec->account, "organic");
    ck_assert_ptr_null(spec->qos);
    desk_free(&desk);
}
END_TEST

START_TEST(who_loses_his_association_waits)
{
    struct desk desk = limit_desk(ENFORCED);
    struct lab *lab = desk.lab;
    struct assoc_record assoc = assoc_of("organic", "ann", NULL);
    char *list[] = { TEXT("normal") };
    uint32_t job = lab_submit(lab, "hold=1 mem=1");

    assoc.qos = list;
    assoc.qos_n = 1;
    assoc.default_qos = TEXT("normal");
    set_assoc(&desk, "organic", "ann", "qos default_qos", assoc);
    ck_assert_int_eq(send(&desk, 0), 0);
    lab_hold(lab, 0, job, HOLD_RELEASE);
    ck_assert_str_eq(lab_reason(lab, job), "InvalidQOS");
    desk_free(&desk);
}
END_TEST

START_TEST(a_job_that_names_no_qos_has_the_only_one_it_may_use)
{
    struct desk desk = limit_desk(ENFORCED);
    struct lab *lab = desk.lab;
    struct assoc_record assoc = assoc_of("organic", "ann", NULL);
    char *list[] = { TEXT("work"), TEXT("normal") };

    assoc.qos = list;
    assoc.qos_n = 1;
    set_assoc(&desk, "root", NULL, "default_qos", assoc_of("root", NULL, NULL));
    set_assoc(&desk, "organic", "ann", "qos default_qos", assoc);
    ck_assert_int_eq(send(&desk, 0), 0);
    ck_assert_str_eq(lab_job(lab, lab_submit(lab, "mem=1"))->rec.spec->qos, "work");
    assoc.qos_n = 2;
    set_assoc(&desk, "organic", "ann", "qos default_qos", assoc);
    ck_assert_int_eq(send(&desk, 0), 0);
    ck_assert_str_eq(lab_job(lab, lab_submit(lab, "mem=1"))->rec.spec->qos, "normal");
    desk_free(&desk);
}
END_TEST

START_TEST(an_account_stays_while_jobs_wait_in_it)
{
    struct desk desk = limit_desk(ENFORCED);
    struct lab *lab = desk.lab;
    const uint32_t waits = lab_submit(lab, "hold=1 mem=1");

    ck_assert_int_eq(drop_assoc(&desk, 0, "organic", "ann"), -EBUSY);
    lab_cancel(lab, waits);
    ck_assert_int_eq(drop_assoc(&desk, 0, "organic", "ann"), 0);
    desk_free(&desk);
}
END_TEST

START_TEST(a_qos_may_want_a_reservation)
{
    struct desk desk = limit_desk(ENFORCED);

    set_qos(&desk, "work", "flags", (struct qos_record){ .flags = QOS_REQUIRES_RESERVATION });
    ck_assert_int_eq(send(&desk, 0), 0);
    lab_submit(desk.lab, "mem=1");
    ck_assert_int_eq(desk.lab->rc, -E_QOS);
    ck_assert_uint_ne(lab_submit(desk.lab, "mem=1 qos=normal"), 0);
    desk_free(&desk);
}
END_TEST

/* Of 8 cpus, 8000 MB and 4 gpus on 2 nodes. */
static const struct limited shares[] = {
    { QOS, "grp_tres", "cpu=25", "ntasks=2 ; ntasks=1", "RUNNING QOSGrpCpuLimit" },
    { QOS, "grp_tres", "cpu=24", "ntasks=1 ; ntasks=1", "RUNNING QOSGrpCpuLimit" },
    { QOS, "grp_tres", "mem=50", "mem=3000 ; mem=2000", "RUNNING QOSGrpMemLimit" },
    { QOS, "grp_tres", "node=50", "nodes=2", "QOSGrpNodeLimit" },
    { QOS, "grp_tres", "gres/gpu=25", "gres=gpu:1 mem=1 ; gres=gpu:1 mem=1", "RUNNING QOSGrpGRES" },
    { QOS, "grp_tres", "license/matlab=25", "licenses=matlab mem=1 ; licenses=matlab mem=1",
      "RUNNING QOSGrpLicense" },
    { QOS, "max_tres_per_job", "cpu=25", "ntasks=3", "QOSMaxCpuPerJobLimit" },
    { QOS, "max_tres_per_user", "cpu=25", "ntasks=2 ; ntasks=1 ; @bob ntasks=2",
      "RUNNING QOSMaxCpuPerUserLimit RUNNING" },
    { QOS, "min_tres_per_job", "cpu=50", "ntasks=3", "QOSMinCpuNotSatisfied" },
    { QOS, "max_jobs_per_user", "1", "mem=1 ; mem=1", "RUNNING QOSMaxJobsPerUserLimit" },
    { PART, "grp_tres", "cpu=25", "ntasks=2 ; qos=normal ntasks=1", "RUNNING QOSGrpCpuLimit" },
};

START_TEST(limits_of_a_relative_qos_are_percentages)
{
    struct desk desk = limit_desk(ENFORCED);
    const char *name = strcmp(shares[_i].level, PART) == 0 ? "part" : "work";
    AUTO_FREE char *becomes = NULL;

    set_qos(&desk, name, "flags", (struct qos_record){ .flags = QOS_RELATIVE });
    set_limit(&desk, shares[_i].level, shares[_i].member, shares[_i].value);
    becomes = submit_all(&desk, shares[_i].jobs);
    ck_assert_str_eq(becomes, shares[_i].becomes);
    desk_free(&desk);
}
END_TEST

START_TEST(a_qos_that_is_relative_to_a_partition_is_no_jobs)
{
    struct desk desk = limit_desk("");

    ck_assert_uint_ne(lab_submit(desk.lab, "mem=1 qos=part"), 0);
    set_qos(&desk, "part", "flags", (struct qos_record){ .flags = QOS_RELATIVE });
    ck_assert_int_eq(send(&desk, 0), 0);
    ck_assert_uint_eq(lab_submit(desk.lab, "mem=1 qos=part"), 0);
    ck_assert_int_eq(desk.lab->rc, -E_QOS);
    desk_free(&desk);
}
END_TEST

CHECK_MAIN(limit, LOOP_CASE(limits_of_a_relative_qos_are_percentages, ARRAY_N(shares)),
           CASE(a_qos_that_is_relative_to_a_partition_is_no_jobs),
           CASE(a_job_that_names_no_qos_has_the_only_one_it_may_use),
           CASE(an_account_stays_while_jobs_wait_in_it), CASE(a_qos_may_want_a_reservation),
           CASE(a_limit_on_what_is_held_is_told_with_who_holds_it),
           CASE(who_needs_a_time_limit_to_start_is_told_so),
           LOOP_CASE(a_limit_lets_jobs_wait_with_slurms_reason, ARRAY_N(rows)),
           LOOP_CASE(of_two_limits_slurms_order_says_which_counts, ARRAY_N(pairs)),
           CASE(a_qos_may_go_before_that_of_the_partition),
           CASE(a_job_starts_when_its_limit_lets_it),
           CASE(a_limit_that_is_lowered_acts_on_waiting_jobs),
           LOOP_CASE(a_job_that_can_do_with_less_gets_no_more_nodes_than_a_limit_lets_it,
                     ARRAY_N(ranges)),
           CASE(a_job_whose_tasks_need_more_nodes_than_a_limit_lets_it_have_is_refused),
           CASE(limits_hold_after_a_restart),
           CASE(a_job_that_its_own_limit_blocks_keeps_no_nodes_from_others),
           CASE(a_job_that_counts_already_may_be_changed),
           CASE(a_job_without_time_limit_gets_what_limits_on_time_leave),
           CASE(a_qos_may_refuse_what_could_never_start),
           LOOP_CASE(either_qos_may_refuse_what_breaks_any_limit, ARRAY_N(denials)),
           LOOP_CASE(memory_that_is_not_counted_keeps_no_job_waiting, ARRAY_N(uncounted)),
           CASE(a_job_is_refused_by_the_memory_that_it_names_though_none_is_counted),
           CASE(who_has_no_association_is_refused), CASE(who_has_no_default_account_is_told_so),
           CASE(default_account_and_qos_are_filled_in), CASE(who_loses_his_association_waits))
