/* What a client is told about why a job waits. */
#include "unit/check_main.h"

#include "unit/ctld/control/lab.h"
#include "ctld/control/answer/info.h"

/* The order of reasons is that of a Slurm 22.05.8. */
static const struct {
    const char *debug, *job, *reason;
} reasons[] = {
    { "up", "part=debug time=3600", "PartitionTimeLimit" },
    { "up", "part=debug nodes=9 time=60", "PartitionConfig" },
    { "up", "part=debug nodes=9 time=3600", "PartitionConfig" },
    { "up", "part=debug time=3600 begin=60", "BeginTime" },
    { "up", "part=debug time=3600 begin=60 hold", "JobHeldUser" },
    { "up", "hold", "JobHeldUser" },
    { "up", "begin=60", "BeginTime" },
    { "up", "", "Resources" },
    { "up", "begin=60 hold", "JobHeldUser" },
    { "down", "part=debug time=60", "PartitionDown" },
    { "down", "part=debug time=3600", "PartitionDown" },
    { "down", "part=debug nodes=9 time=60", "PartitionDown" },
    { "down", "part=debug time=60 begin=60", "BeginTime" },
    { "down", "part=debug time=3600 begin=60", "BeginTime" },
    { "down", "part=debug time=60 hold", "JobHeldUser" },
    { "up accounts=chem", "part=debug time=60", "AccountNotAllowed" },
    { "up accounts=chem", "part=debug time=60 begin=60", "BeginTime" },
    { "up qos=low", "part=debug time=60", "QOSNotAllowed" },
};

START_TEST(the_first_of_several_reasons_is_told)
{
    AUTO_FREE char *config = xasprintf("nodes=1 cpus=1 debug=%s", reasons[_i].debug);
    struct lab *lab = lab_new(config);
    uint32_t job;

    lab_submit(lab, "time=36000");
    job = lab_submit(lab, reasons[_i].job);

    ck_assert_str_eq(lab_reason(lab, job), reasons[_i].reason);
    ck_assert_str_eq(lab_state(lab, job), "PENDING");
    lab_free(lab);
}
END_TEST

START_TEST(begin_passes_and_the_next_reason_is_told)
{
    struct lab *lab = lab_new("nodes=1 cpus=1");
    uint32_t job = lab_submit(lab, "part=debug time=3600 begin=60");

    ck_assert_str_eq(lab_reason(lab, job), "BeginTime");
    lab_wait(lab, 61);
    ck_assert_str_eq(lab_reason(lab, job), "PartitionTimeLimit");
    ck_assert_str_eq(lab_reason_text(lab, job), "PartitionTimeLimit: asks for 01:00:00, partition "
                                                "debug allows 00:30:00");
    lab_free(lab);
}
END_TEST

START_TEST(what_no_node_has_any_more_is_the_reason)
{
    struct lab *lab = lab_new("nodes=1 cpus=1 features=fast");
    uint32_t job;

    lab_submit(lab, "time=36000");
    job = lab_submit(lab, "features=fast");
    ck_assert_str_eq(lab_reason(lab, job), "Resources");
    lab_restart(lab, "nodes=1 cpus=1");
    ck_assert_str_eq(lab_reason(lab, job), "BadConstraints");
    lab_free(lab);
}
END_TEST

START_TEST(partition_that_became_inactive_is_the_reason)
{
    struct lab *lab = lab_new("nodes=1 cpus=1");
    uint32_t job = lab_submit(lab, "part=debug time=3600");

    lab_restart(lab, "nodes=1 cpus=1 debug=inactive");
    ck_assert_str_eq(lab_reason(lab, job), "PartitionInactive");
    lab_free(lab);
}
END_TEST

static struct job_info info_of(const struct lab *lab, uint32_t id)
{
    struct job_info info;

    control_job_info(lab->control, lab->now, lab_job(lab, id), &info);
    return info;
}

START_TEST(who_holds_the_nodes_is_told_with_the_end)
{
    struct lab *lab = lab_new("nodes=2 cpus=1");
    uint32_t first = lab_submit(lab, "time=600 on=n1"), second, job;
    AUTO(job_info) struct job_info info;

    second = lab_submit_as(lab, LAB_OTHER, "time=1200 on=n2");
    lab_wait(lab, 100);
    job = lab_submit(lab, "nodes=2 time=60");
    info = info_of(lab, job);

    ck_assert_uint_eq(info.blockers_n, 2);
    ck_assert_uint_eq(info.blockers[0].job_id, first);
    ck_assert_str_eq(info.blockers[0].user_name, "ann");
    ck_assert(!info.blockers[0].waits);
    ck_assert_int_eq(info.blockers[0].until, lab->now.wall_s + 500);
    ck_assert_uint_eq(info.blockers[1].job_id, second);
    ck_assert_str_eq(info.blockers[1].user_name, "bob");
    ck_assert_int_eq(info.blockers[1].until, lab->now.wall_s + 1100);
    ck_assert_int_eq(info.planned_start, lab->now.wall_s + 1100);
    ck_assert_str_eq(info.planned_nodes, "n[1-2]");
    ck_assert_uint_eq(info.estimate, ESTIMATE_LIMITS);
    lab_free(lab);
}
END_TEST

START_TEST(jobs_planned_before_are_told_as_waiting_ones)
{
    struct lab *lab = lab_new("nodes=1 cpus=1");
    uint32_t before, job;
    AUTO(job_info) struct job_info info;

    lab_submit(lab, "time=600");
    before = lab_submit(lab, "time=600");
    job = lab_submit(lab, "time=600");
    info = info_of(lab, job);

    ck_assert_uint_eq(info.job->reason, REASON_PRIORITY);
    ck_assert_uint_eq(info.blockers_n, 2);
    ck_assert_uint_eq(info.blockers[1].job_id, before);
    ck_assert(info.blockers[1].waits);
    ck_assert_int_eq(info.blockers[1].until, 0);
    ck_assert_int_eq(info.planned_start, lab->now.wall_s + 1200);
    lab_free(lab);
}
END_TEST

START_TEST(the_end_of_a_job_that_it_depends_on_is_told)
{
    struct lab *lab = lab_new("nodes=2 cpus=1");
    uint32_t first = lab_submit(lab, "time=600");
    AUTO_FREE char *spec = xasprintf("after=afterok:%u", first);
    AUTO(job_info) struct job_info info;

    info = info_of(lab, lab_submit(lab, spec));

    ck_assert_uint_eq(info.job->reason, REASON_DEPENDENCY);
    ck_assert_uint_eq(info.blockers_n, 1);
    ck_assert_uint_eq(info.blockers[0].job_id, first);
    ck_assert(!info.blockers[0].waits);
    ck_assert_int_eq(info.blockers[0].until, lab->now.wall_s + 600);
    lab_free(lab);
}
END_TEST

START_TEST(tasks_that_run_are_told_where_no_more_may)
{
    struct lab *lab = lab_new("nodes=4 cpus=1");
    uint32_t job = lab_submit(lab, "array=0-3%1 time=600");
    AUTO(job_info) struct job_info info;

    info = info_of(lab, job);

    ck_assert_uint_eq(info.job->reason, REASON_ARRAY_LIMIT);
    ck_assert_uint_eq(info.blockers_n, 1);
    ck_assert_uint_eq(info.blockers[0].job_id, job);
    ck_assert_uint_eq(info.blockers[0].array_task, 0);
    ck_assert_int_eq(info.blockers[0].until, lab->now.wall_s + 600);
    lab_free(lab);
}
END_TEST

START_TEST(begin_is_an_estimate_of_its_own)
{
    struct lab *lab = lab_new("nodes=1");
    AUTO(job_info) struct job_info info;

    info = info_of(lab, lab_submit(lab, "begin=60"));

    ck_assert_uint_eq(info.estimate, ESTIMATE_BEGIN);
    ck_assert_int_eq(info.planned_start, lab->now.wall_s + 60);
    ck_assert_uint_eq(info.blockers_n, 0);
    lab_free(lab);
}
END_TEST

START_TEST(nodes_that_are_out_are_told)
{
    struct lab *lab = lab_new("nodes=2");
    AUTO(job_info) struct job_info info;

    lab_update(lab, 0, "n2", NODE_UPDATE_DRAIN, "fans");
    info = info_of(lab, lab_submit(lab, "nodes=2"));

    ck_assert_uint_eq(info.job->reason, REASON_NODES_UNAVAILABLE);
    ck_assert_str_eq(info.unavailable_nodes, "n2");
    ck_assert_int_eq(info.planned_start, 0);
    ck_assert_uint_eq(info.estimate, ESTIMATE_NONE);
    lab_free(lab);
}
END_TEST

START_TEST(a_job_that_waits_is_shown_with_as_many_nodes_as_have_its_cpus)
{
    struct lab *lab = lab_new("nodes=3");
    uint32_t job = lab_submit(lab, "ntasks=9 hold=1");
    AUTO(job_info) struct job_info info = info_of(lab, job);

    ck_assert_uint_eq(info.least_nodes, 3);
    lab_free(lab);
}
END_TEST

/* As squeue of Slurm 22.05 shows sbatch -c 99. */
START_TEST(a_task_with_more_cpus_than_a_node_is_shown_with_one_node)
{
    struct lab *lab = lab_new("nodes=3");
    AUTO(job_info) struct job_info info = info_of(lab, lab_submit(lab, "cpus=99 hold=1"));

    ck_assert_uint_eq(info.least_nodes, 1);
    lab_free(lab);
}
END_TEST

CHECK_MAIN(explain, LOOP_CASE(the_first_of_several_reasons_is_told, ARRAY_N(reasons)),
           CASE(a_job_that_waits_is_shown_with_as_many_nodes_as_have_its_cpus),
           CASE(a_task_with_more_cpus_than_a_node_is_shown_with_one_node),
           CASE(begin_passes_and_the_next_reason_is_told),
           CASE(what_no_node_has_any_more_is_the_reason),
           CASE(partition_that_became_inactive_is_the_reason),
           CASE(who_holds_the_nodes_is_told_with_the_end),
           CASE(jobs_planned_before_are_told_as_waiting_ones),
           CASE(the_end_of_a_job_that_it_depends_on_is_told),
           CASE(tasks_that_run_are_told_where_no_more_may), CASE(begin_is_an_estimate_of_its_own),
           CASE(nodes_that_are_out_are_told))
