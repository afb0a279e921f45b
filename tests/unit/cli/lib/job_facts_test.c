/* Where Slurm's commands differ about the same job, a test asks both questions of one record. */
#include "cli/lib/job_facts.h"

#include "unit/check_main.h"

static struct job_record job;
static struct job_spec spec;
static struct job_info info;

static void make(uint32_t state)
{
    job_record_init(&job);
    job_spec_init(&spec);
    job_info_init(&info);
    job.spec = &spec;
    job.state = state;
    job.submit_time = 900;
    job.eligible_time = 950;
}

START_TEST(a_planned_start_is_a_start_but_not_for_the_accounting)
{
    make(JOB_PENDING);
    info.planned_start = 2000;
    spec.time_limit = 60;

    ck_assert_int_eq(job_started(&job), 0);
    ck_assert_int_eq(job_start_planned(&job, &info), 2000);
    ck_assert_int_eq(job_start_expected(&job, &info, 1000), 2000);
    ck_assert_int_eq(job_end_from(&job, 2000), 2060);
    ck_assert_int_eq(job_ended(&job), 0);
}
END_TEST

START_TEST(the_start_of_an_earlier_run_is_none_for_the_accounting)
{
    make(JOB_PENDING);
    job.start_time = 1000;
    info.planned_start = 2000;

    ck_assert_int_eq(job_started(&job), 0);
    ck_assert_int_eq(job_start_planned(&job, &info), 1000);
    ck_assert_int_eq(job_start_expected(&job, &info, 1500), 1000);
}
END_TEST

START_TEST(only_squeue_takes_begin_for_a_start_and_only_while_it_is_to_come)
{
    make(JOB_PENDING);
    spec.begin = 3000;

    ck_assert_int_eq(job_start_planned(&job, &info), 0);
    ck_assert_int_eq(job_start_expected(&job, &info, 1000), 3000);
    ck_assert_int_eq(job_start_expected(&job, &info, 3000), 0);
}
END_TEST

START_TEST(only_squeue_takes_the_end_of_what_never_started_for_its_start)
{
    make(JOB_CANCELLED);
    job.end_time = 1200;

    ck_assert_int_eq(job_start_expected(&job, &info, 1300), 1200);
    ck_assert_int_eq(job_start_planned(&job, &info), 0);
    ck_assert_int_eq(job_started(&job), 0);
    ck_assert_int_eq(job_waited(&job, 1300), 250);
    ck_assert_int_eq(job_run_time(&job, 1300), 0);
}
END_TEST

START_TEST(the_end_by_the_limit_is_no_end_for_the_accounting)
{
    make(JOB_RUNNING);
    job.start_time = 1000;
    job.end_time = 1090; /* with a pause of half a minute in it */
    spec.time_limit = 60;

    ck_assert_int_eq(job_end_from(&job, job.start_time), 1090);
    ck_assert_int_eq(job_ended(&job), 0);
    ck_assert_int_eq(job_time_left(&job, 1020), 40);
    ck_assert_int_eq(job_time_left(&job, 1070), 0);
    ck_assert_int_eq(job_waited(&job, 1020), 50);
    ck_assert_int_eq(job_pending_time(&job, 1020), 100);
    spec.time_limit = LIMIT_UNSET;
    ck_assert_int_eq(job_time_left(&job, 1020), LIMIT_UNSET);
    spec.time_limit = LIMIT_INFINITE;
    ck_assert_int_eq(job_time_left(&job, 1020), LIMIT_INFINITE);
}
END_TEST

START_TEST(a_job_tells_how_long_it_stood_still)
{
    make(JOB_RUNNING);
    job.start_time = 1000;
    ck_assert_int_eq(job_suspended_time(&job, 1100), 0);
    job.suspend_time = 1060; /* suspended then, after a minute */
    job.pre_suspend_s = 60;
    job.suspended_ms = 1;
    ck_assert_int_eq(job_suspended_time(&job, 1100), 40);
    job.suspend_time = 1090; /* and goes on */
    job.suspended_ms = 0;
    ck_assert_int_eq(job_suspended_time(&job, 1100), 30);
    job.state = JOB_COMPLETE;
    job.end_time = 1200;
    ck_assert_int_eq(job_suspended_time(&job, 9999), 30);
}
END_TEST

START_TEST(a_completing_job_has_the_nodes_that_are_not_clean)
{
    struct job_node nodes[3];
    char *const names[] = { "n1", "n2", "n3" };
    char list[] = "n[1-3]";

    make(JOB_COMPLETE);
    for (uint32_t i = 0; i < ARRAY_N(nodes); i++) {
        job_node_init(&nodes[i]);
        nodes[i].name = names[i];
    }
    nodes[1].clean = true;
    job.nodes = nodes;
    job.nodes_n = ARRAY_N(nodes);
    job.node_list = list;
    AUTO_FREE char *all = job_busy_nodes(&job);
    ck_assert_str_eq(all, "n[1-3]");
    ck_assert_uint_eq(job_busy_nodes_n(&job), 3);
    job.flags = JOB_FLAG_COMPLETING;
    AUTO_FREE char *busy = job_busy_nodes(&job);
    ck_assert_str_eq(busy, "n[1,3]");
    ck_assert_uint_eq(job_busy_nodes_n(&job), 2);
    ck_assert_str_eq(job_batch_host(&job), "n1");
}
END_TEST

START_TEST(a_job_gets_a_node_at_least_and_as_many_as_have_its_cpus)
{
    make(JOB_PENDING);
    ck_assert_uint_eq(job_asked_nodes(&spec), 1);
    spec.min_nodes = 0;
    ck_assert_uint_eq(job_least_nodes(&spec, &info), 1);
    info.least_nodes = 4;
    ck_assert_uint_eq(job_least_nodes(&spec, &info), 4);
    spec.min_nodes = 6;
    ck_assert_uint_eq(job_least_nodes(&spec, &info), 6);
    ck_assert_uint_eq(job_asked_nodes(&spec), 6);
}
END_TEST

START_TEST(a_node_needs_the_cpus_of_its_tasks_or_more_if_asked)
{
    make(JOB_PENDING);
    ck_assert_uint_eq(job_least_cpus_of_node(&spec), 1);
    spec.cpus_per_task = 2;
    spec.ntasks_per_node = 3;
    ck_assert_uint_eq(job_least_cpus_of_node(&spec), 6);
    spec.min_cpus_per_node = 8;
    ck_assert_uint_eq(job_least_cpus_of_node(&spec), 8);
}
END_TEST

START_TEST(stderr_goes_where_stdout_goes)
{
    char out[] = "out.%j", err[] = "err.%j";
    struct job_body body = { 0 };

    make(JOB_PENDING);
    ck_assert_str_eq(job_std_in(&body), "/dev/null");
    ck_assert_str_eq(job_std_err(&job, &body), JOB_STD_OUT);
    job.array_job_id = 3;
    ck_assert_str_eq(job_std_err(&job, &body), JOB_STD_OUT_ARRAY);
    body.std_out = out;
    ck_assert_str_eq(job_std_err(&job, &body), "out.%j");
    body.std_err = err;
    ck_assert_str_eq(job_std_err(&job, &body), "err.%j");
    ck_assert_str_eq(job_std_out(&job, &body), "out.%j");
}
END_TEST

CHECK_MAIN(job_facts, CASE(a_planned_start_is_a_start_but_not_for_the_accounting),
           CASE(the_start_of_an_earlier_run_is_none_for_the_accounting),
           CASE(only_squeue_takes_begin_for_a_start_and_only_while_it_is_to_come),
           CASE(only_squeue_takes_the_end_of_what_never_started_for_its_start),
           CASE(the_end_by_the_limit_is_no_end_for_the_accounting),
           CASE(a_job_tells_how_long_it_stood_still),
           CASE(a_completing_job_has_the_nodes_that_are_not_clean),
           CASE(a_job_gets_a_node_at_least_and_as_many_as_have_its_cpus),
           CASE(a_node_needs_the_cpus_of_its_tasks_or_more_if_asked),
           CASE(stderr_goes_where_stdout_goes))
