#include "cli/lib/step_facts.h"

#include "common/msg/job.h"
#include "unit/check_main.h"

static struct step_record step;

static void make(uint32_t state)
{
    step_record_init(&step);
    step.state = state;
}

START_TEST(a_step_runs_until_its_end)
{
    make(STEP_PENDING);
    ck_assert_int_eq(step_run_time(&step, 1000), 0);
    step.start_time = 1000;
    ck_assert_int_eq(step_run_time(&step, 1010), 10);
    ck_assert_int_eq(step_run_time(&step, 990), 0); /* the clock was put back */
    step.end_time = 1005;
    ck_assert_int_eq(step_run_time(&step, 1010), 5);
}
END_TEST

START_TEST(a_step_has_a_state_in_a_jobs_words)
{
    make(STEP_PENDING);
    ck_assert_uint_eq(step_job_state(&step), JOB_PENDING);
    step.state = STEP_STARTING;
    ck_assert_uint_eq(step_job_state(&step), JOB_RUNNING);
    step.state = STEP_ENDING;
    ck_assert_uint_eq(step_job_state(&step), JOB_RUNNING);
    step.state = STEP_ENDED;
    step.end_state = JOB_OOM;
    ck_assert_uint_eq(step_job_state(&step), JOB_OOM);
}
END_TEST

START_TEST(cpu_times_add_up_over_steps_that_told_them)
{
    struct step_usage usage;
    struct step_record steps[3];

    step_usage_init(&usage);
    usage.user_us = 5;
    usage.system_us = 2;
    for (uint32_t i = 0; i < ARRAY_N(steps); i++)
        step_record_init(&steps[i]);
    steps[0].usage = steps[2].usage = &usage;

    ck_assert_uint_eq(step_cpu_times(steps, ARRAY_N(steps)).user_us, 10);
    ck_assert_uint_eq(step_cpu_times(steps, ARRAY_N(steps)).system_us, 4);
    ck_assert_uint_eq(step_cpu_times(steps, 0).user_us, 0);
}
END_TEST

START_TEST(an_amount_tells_who_used_most_and_who_least)
{
    struct usage_spread spread = {
        .total = 12, .max = 7, .max_node = 1, .max_task = 3, .min = 5, .min_node = 2, .min_task = 4
    };
    struct step_usage usage;
    struct step_node nodes[2];
    char first[] = "n1", second[] = "n2";

    make(STEP_RUNNING);
    step_usage_init(&usage);
    usage.tasks = 2;
    step_node_init(&nodes[0]);
    step_node_init(&nodes[1]);
    nodes[0].name = first;
    nodes[1].name = second;
    step.usage = &usage;
    step.nodes = nodes;
    step.nodes_n = ARRAY_N(nodes);

    ck_assert_uint_eq(step_usage_amount(&step, &spread, PICK_MAX), 7);
    ck_assert_uint_eq(step_usage_amount(&step, &spread, PICK_MIN), 5);
    ck_assert_uint_eq(step_usage_amount(&step, &spread, PICK_AVERAGE), 6);
    ck_assert_uint_eq(step_usage_amount(&step, &spread, PICK_TOTAL), 12);
    ck_assert_str_eq(step_usage_node(&step, &spread, PICK_MAX), "n2");
    ck_assert_str_eq(step_usage_node(&step, &spread, PICK_MIN), ""); /* not among its nodes */
    ck_assert_uint_eq(step_usage_task(&spread, PICK_MAX), 3);
    ck_assert_uint_eq(step_usage_task(&spread, PICK_MIN), 4);
}
END_TEST

CHECK_MAIN(step_facts, CASE(a_step_runs_until_its_end), CASE(a_step_has_a_state_in_a_jobs_words),
           CASE(cpu_times_add_up_over_steps_that_told_them),
           CASE(an_amount_tells_who_used_most_and_who_least))
