/* The life of a job, from submission to the day it is forgotten. */
#include "unit/check_main.h"

#include <errno.h>

#include "ctld/control/act/act.h"
#include "ctld/control/job/alter.h"
#include "ctld/control/answer/attach.h"
#include "ctld/control/control.h"
#include "ctld/control/act/per_node.h"
#include "ctld/control/job/signal.h"
#include "unit/ctld/control/lab.h"

#define EXIT(code) ((code) << 8)

START_TEST(a_batch_job_runs_its_script_on_its_first_node_and_completes)
{
    struct lab *lab = lab_new("nodes=3 cpus=1");
    uint32_t job = lab_submit(lab, "nodes=3 ntasks=3");

    ck_assert_msg(job == 1, "%s", lab->err.text);
    ck_assert_str_eq(lab_state(lab, job), "RUNNING");
    ck_assert_str_eq(lab_job(lab, job)->rec.node_list, "n[1-3]");
    ck_assert_str_eq(strbuf_text(&lab->orders), "n1: launch 1.batch #1\n");
    ck_assert_str_eq(lab_node_state(lab, "n2"), "ALLOCATED");

    lab_quiet(lab);
    lab_exit(lab, job, STEP_BATCH, 0);
    ck_assert_str_eq(lab_state(lab, job), "COMPLETED");
    ck_assert_str_eq(strbuf_text(&lab->orders),
                     "n1: end 1\nn2: end 1\nn3: end 1\nn1: forget 1.batch\n");
    ck_assert_str_eq(lab_node_state(lab, "n2"), "IDLE");
    lab_free(lab);
}
END_TEST

static const struct {
    int32_t status;
    const char *state, *reason, *text;
} ends[] = {
    { 0, "COMPLETED", "None", NULL },
    { EXIT(3), "FAILED", "NonZeroExitCode", NULL },
    { SIGKILL, "FAILED", "RaisedSignal", "RaisedSignal:9(Killed)" },
};

START_TEST(the_end_of_the_script_decides_the_state)
{
    struct lab *lab = lab_new("nodes=1");
    uint32_t job = lab_submit(lab, "");

    lab_exit(lab, job, STEP_BATCH, ends[_i].status);

    ck_assert_str_eq(lab_state(lab, job), ends[_i].state);
    ck_assert_str_eq(lab_reason(lab, job), ends[_i].reason);
    ck_assert_int_eq(lab_job(lab, job)->rec.exit_status, ends[_i].status);
    if (ends[_i].text)
        ck_assert_str_eq(lab_reason_text(lab, job), ends[_i].text);
    lab_free(lab);
}
END_TEST

START_TEST(a_job_that_finds_no_room_waits_and_starts_when_there_is)
{
    struct lab *lab = lab_new("nodes=1 cpus=1");
    uint32_t first = lab_submit(lab, ""), second = lab_submit(lab, ""), third = lab_submit(lab, "");

    ck_assert_str_eq(lab_reason(lab, second), "Resources");
    ck_assert_str_eq(lab_reason(lab, third), "Priority");
    lab_exit(lab, first, STEP_BATCH, 0);

    ck_assert_str_eq(lab_state(lab, second), "RUNNING");
    ck_assert_str_eq(lab_state(lab, third), "PENDING");
    lab_free(lab);
}
END_TEST

START_TEST(a_job_is_completing_until_its_nodes_are_clean)
{
    struct lab *lab = lab_new("nodes=2 cpus=1");
    uint32_t job = lab_submit(lab, "nodes=2");

    lab_node(lab, "n2")->deaf = true;
    lab_exit(lab, job, STEP_BATCH, 0);
    ck_assert_str_eq(lab_state(lab, job), "COMPLETING");
    ck_assert_str_eq(lab_node_state(lab, "n1"), "IDLE");
    ck_assert_str_eq(lab_node_state(lab, "n2"), "IDLE+COMPLETING");

    lab_node(lab, "n2")->deaf = false;
    lab_register(lab, "n2");
    ck_assert_str_eq(lab_state(lab, job), "COMPLETED");
    lab_free(lab);
}
END_TEST

START_TEST(a_running_job_is_cancelled_by_its_owner)
{
    struct lab *lab = lab_new("nodes=1");
    uint32_t job = lab_submit(lab, "");

    lab_quiet(lab);
    ck_assert_int_eq(lab_cancel(lab, job), 0);

    ck_assert_str_eq(lab_state(lab, job), "CANCELLED");
    ck_assert_uint_eq(lab_job(lab, job)->rec.ended_by, LAB_USER);
    ck_assert_int_eq(lab_job(lab, job)->rec.exit_status, SIGTERM);
    ck_assert_str_eq(strbuf_text(&lab->orders), "n1: end 1 CANCELLED\nn1: forget 1.batch\n");
    ck_assert_int_eq(lab_cancel(lab, job), -E_ALREADY_DONE);
    lab_free(lab);
}
END_TEST

START_TEST(a_waiting_job_is_cancelled_at_once_and_keeps_its_reason)
{
    struct lab *lab = lab_new("nodes=1");
    uint32_t job = lab_submit(lab, "hold");

    ck_assert_str_eq(lab_reason(lab, job), "JobHeldUser");
    ck_assert_uint_eq(lab_job(lab, job)->rec.priority, 0);
    ck_assert_int_eq(lab_cancel(lab, job), 0);

    ck_assert_str_eq(lab_state(lab, job), "CANCELLED");
    ck_assert_str_eq(lab_reason(lab, job), "JobHeldUser");
    ck_assert_int_eq(lab_job(lab, job)->rec.start_time, lab_job(lab, job)->rec.end_time);
    ck_assert_int_eq(lab_job(lab, job)->rec.eligible_time, 0);
    lab_free(lab);
}
END_TEST

START_TEST(another_user_may_not_touch_a_job_but_root_may)
{
    struct lab *lab = lab_new("nodes=1");
    uint32_t job = lab_submit(lab, "");
    const struct job *read = NULL;
    struct caller other = lab_caller(LAB_OTHER), root = lab_caller(0);

    ck_assert_int_eq(lab_cancel_as(lab, LAB_OTHER, job, COUNT_UNSET, 0, SIGNAL_CANCEL), -E_ACCESS);
    ck_assert_str_eq(lab->err.text, "Access/permission denied");
    ck_assert_int_eq(control_may_read_script(lab->control, &other, job, &read, NULL), -E_USER_ID);
    ck_assert_int_eq(control_may_read_script(lab->control, &root, job, &read, NULL), 0);
    ck_assert_int_eq(lab_cancel_as(lab, LAB_OTHER, 99, COUNT_UNSET, 0, SIGNAL_CANCEL), -E_JOB_ID);
    ck_assert_str_eq(lab->err.text, "Invalid job id specified");
    ck_assert_int_eq(lab_cancel_as(lab, 0, job, COUNT_UNSET, 0, SIGNAL_CANCEL), 0);
    ck_assert_str_eq(lab_state(lab, job), "CANCELLED");
    lab_free(lab);
}
END_TEST

START_TEST(a_signal_goes_to_the_steps_or_where_the_flags_say)
{
    struct lab *lab = lab_new("nodes=2 cpus=1");
    uint32_t job = lab_submit(lab, "nodes=2");

    lab_quiet(lab);
    lab_cancel_as(lab, LAB_USER, job, COUNT_UNSET, SIGUSR1, 0);
    ck_assert_str_eq(strbuf_text(&lab->orders),
                     "n1: signal 10 of 1 flags 8\nn2: signal 10 of 1 flags 8\n");
    lab_quiet(lab);
    lab_cancel_as(lab, LAB_USER, job, COUNT_UNSET, SIGUSR1, SIGNAL_BATCH_ONLY);
    ck_assert_str_eq(strbuf_text(&lab->orders), "n1: signal 10 of 1 flags 2\n");
    ck_assert_str_eq(lab_state(lab, job), "RUNNING");

    uint32_t waiting = lab_submit(lab, "nodes=2");
    ck_assert_int_eq(lab_cancel_as(lab, LAB_USER, waiting, COUNT_UNSET, SIGUSR1, 0), -E_TRANSITION);
    ck_assert_int_eq(lab_cancel_as(lab, LAB_USER, job, COUNT_UNSET, 99, 0), -EINVAL);
    lab_free(lab);
}
END_TEST

START_TEST(a_job_over_its_limit_times_out)
{
    struct lab *lab = lab_new("nodes=1");
    uint32_t job = lab_submit(lab, "time=60");

    lab_quiet(lab);
    lab_wait(lab, 59);
    ck_assert_str_eq(lab_state(lab, job), "RUNNING");
    lab_wait(lab, 1);

    ck_assert_str_eq(lab_state(lab, job), "TIMEOUT");
    ck_assert_str_eq(lab_reason(lab, job), "TimeLimit");
    ck_assert_str_eq(strbuf_text(&lab->orders),
                     "n1: end 1 CANCELLED DUE TO TIME LIMIT\nn1: forget 1.batch\n");
    lab_free(lab);
}
END_TEST

START_TEST(a_warning_is_sent_once_before_the_limit)
{
    struct lab *lab = lab_new("nodes=1");
    uint32_t job = lab_submit(lab, "time=100 warn=12 before=30");

    lab_quiet(lab);
    lab_wait(lab, 69);
    ck_assert_str_eq(strbuf_text(&lab->orders), "");
    lab_wait(lab, 20);
    ck_assert_str_eq(strbuf_text(&lab->orders), "n1: signal 12 of 1 flags 8\n");
    ck_assert_str_eq(lab_state(lab, job), "RUNNING");
    lab_free(lab);
}
END_TEST

START_TEST(a_job_begins_not_before_it_was_asked_to)
{
    struct lab *lab = lab_new("nodes=1");
    uint32_t job = lab_submit(lab, "begin=100");

    ck_assert_str_eq(lab_reason(lab, job), "BeginTime");
    lab_wait(lab, 99);
    ck_assert_str_eq(lab_state(lab, job), "PENDING");
    lab_wait(lab, 2);
    ck_assert_str_eq(lab_state(lab, job), "RUNNING");
    lab_free(lab);
}
END_TEST

START_TEST(a_wall_clock_that_jumps_takes_begin_along_but_not_the_limit)
{
    struct lab *lab = lab_new("nodes=2 cpus=1");
    uint32_t runs = lab_submit(lab, "time=600"), waits = lab_submit(lab, "begin=3600");

    lab->now.wall_s += 3600;
    lab_submit(lab, "begin=9999");

    ck_assert_str_eq(lab_state(lab, runs), "RUNNING");
    lab_wait(lab, 1);
    ck_assert_str_eq(lab_state(lab, waits), "RUNNING");
    ck_assert_str_eq(lab_state(lab, runs), "RUNNING");
    lab_free(lab);
}
END_TEST

START_TEST(an_ended_job_is_retired_after_min_job_age)
{
    struct lab *lab = lab_new("nodes=1");
    uint32_t job = lab_submit(lab, "");

    lab_exit(lab, job, STEP_BATCH, 0);
    lab_wait(lab, 299);
    ck_assert_str_eq(lab_state(lab, job), "COMPLETED");
    lab_wait(lab, 3);
    ck_assert_ptr_null(model_find_job(control_model(lab->control), job));
    lab_free(lab);
}
END_TEST

START_TEST(an_srun_job_ends_with_its_step_and_its_stream_ends_last)
{
    struct lab *lab = lab_new("nodes=3 cpus=1");
    uint32_t job = lab_allocate(lab, "nodes=3", "nodes=3");

    ck_assert_str_eq(lab_layout(lab, job, 0), "n1:0 n2:1 n3:2");
    lab_exit(lab, job, 0, EXIT(5));

    ck_assert_str_eq(lab_state(lab, job), "FAILED");
    ck_assert_int_eq(lab_job(lab, job)->rec.exit_status, EXIT(5));
    ck_assert_str_eq(strbuf_text(&lab->said), "job 1 granted n[1-3]\n"
                                              "step 1.0 created n[1-3]\n"
                                              "step 1.0 node ended n1\n"
                                              "step 1.0 node ended n2\n"
                                              "step 1.0 node ended n3\n"
                                              "step 1.0 ended\n"
                                              "job 1 ended FAILED 1280 last\n");
    lab_free(lab);
}
END_TEST

START_TEST(a_cancelled_srun_job_tells_the_step_first_and_the_job_last)
{
    struct lab *lab = lab_new("nodes=1");
    uint32_t job = lab_allocate(lab, "", "");

    lab_quiet(lab);
    lab_cancel(lab, job);

    ck_assert_str_eq(strbuf_text(&lab->said), "step 1.0 ending\n"
                                              "step 1.0 node ended n1\n"
                                              "step 1.0 ended\n"
                                              "job 1 ended CANCELLED 15 last\n");
    lab_free(lab);
}
END_TEST

START_TEST(what_salloc_got_lasts_until_it_is_released)
{
    struct lab *lab = lab_new("nodes=2 cpus=2");
    struct caller caller = lab_caller(LAB_USER);
    uint32_t job = lab_allocate(lab, "nodes=2 exclusive", NULL);

    ck_assert_str_eq(strbuf_text(&lab->said), "job 1 granted n[1-2]\n");
    ck_assert_str_eq(strbuf_text(&lab->orders), "");
    control_release(lab_act(lab, &caller),
                    &(struct job_release){ .job_id = job, .exit_status = EXIT(1) }, NULL);
    lab_settle(lab);

    ck_assert_str_eq(lab_state(lab, job), "FAILED");
    ck_assert_str_eq(lab_reason(lab, job), "NonZeroExitCode");
    ck_assert_str_eq(strbuf_text(&lab->orders), "n1: end 1\nn2: end 1\n");
    lab_free(lab);
}
END_TEST

START_TEST(only_a_job_that_has_to_wait_is_said_to_be_queued)
{
    struct lab *lab = lab_new("nodes=1 cpus=1");
    uint32_t first = lab_submit(lab, "");

    lab_allocate(lab, "", "");
    lab_allocate(lab, "nodes=9", NULL);
    ck_assert_str_eq(strbuf_text(&lab->said), "job 2 queued\njob 3 queued\n");
    lab_quiet(lab);
    lab_submit(lab, "");
    lab_exit(lab, first, STEP_BATCH, 0);

    ck_assert_str_eq(strbuf_text(&lab->said), "job 2 granted n1\nstep 2.0 created n1\n");
    lab_free(lab);
}
END_TEST

START_TEST(a_new_connection_counts_before_the_old_one_is_gone)
{
    struct lab *lab = lab_new("nodes=1");
    struct caller caller = lab_caller(LAB_USER);
    uint32_t job = lab_allocate(lab, "", ""), got_job, got_step;
    struct job_attach request = { .job_id = job, .step_id = COUNT_UNSET };

    control_attach(lab_act(lab, &caller), &request, &got_job, &got_step, NULL);
    control_client_gone(lab_act(lab, NULL), job, COUNT_UNSET, false);
    lab_wait(lab, 100);
    lab_quiet(lab);
    lab_exit(lab, job, 0, 0);

    ck_assert_str_eq(strbuf_text(&lab->said), "step 1.0 node ended n1\n"
                                              "step 1.0 ended\n"
                                              "job 1 ended COMPLETED 0 last\n");
    lab_free(lab);
}
END_TEST

START_TEST(an_srun_job_whose_waiting_step_is_cancelled_is_cancelled)
{
    struct lab *lab = lab_new("nodes=1");
    uint32_t job = lab_allocate(lab, "", "nodes=1 ntasks=1");

    lab_cancel_as(lab, LAB_USER, job, 0, 0, SIGNAL_CANCEL);

    ck_assert_str_eq(lab_state(lab, job), "CANCELLED");
    lab_free(lab);
}
END_TEST

START_TEST(an_srun_job_whose_step_can_never_fit_fails_and_says_why)
{
    struct lab *lab = lab_new("nodes=1");
    uint32_t job = lab_allocate(lab, "ntasks=1", "ntasks=3");

    ck_assert_str_eq(lab_state(lab, job), "FAILED");
    ck_assert_str_eq(lab_reason(lab, job), "JobLaunchFailure");
    ck_assert(strstr(lab_reason_text(lab, job), "More processors requested"));
    lab_free(lab);
}
END_TEST

START_TEST(an_srun_that_stays_away_loses_its_job_after_the_grace)
{
    struct lab *lab = lab_new("nodes=1");
    uint32_t job = lab_allocate(lab, "", ""), kept = lab_allocate(lab, "", NULL);

    control_client_gone(lab_act(lab, NULL), job, COUNT_UNSET, false);
    control_client_gone(lab_act(lab, NULL), kept, COUNT_UNSET, false);
    lab_wait(lab, 59);
    ck_assert_str_eq(lab_state(lab, job), "RUNNING");
    lab_wait(lab, 2);

    ck_assert_str_eq(lab_state(lab, job), "CANCELLED");
    ck_assert_str_eq(lab_state(lab, kept), "RUNNING");
    lab_free(lab);
}
END_TEST

START_TEST(an_srun_that_was_killed_loses_its_job_and_step_soon)
{
    struct lab *lab = lab_new("nodes=2 inactive=1");
    uint32_t job = lab_allocate(lab, "", ""), kept = lab_allocate(lab, "", NULL);

    lab_step(lab, kept, "ntasks=1");
    control_client_gone(lab_act(lab, NULL), job, COUNT_UNSET, true);
    control_client_gone(lab_act(lab, NULL), kept, COUNT_UNSET, true);
    control_client_gone(lab_act(lab, NULL), kept, 0, true);
    lab_wait(lab, 4);
    ck_assert_str_eq(lab_state(lab, job), "RUNNING");
    lab_wait(lab, 2);

    ck_assert_str_eq(lab_state(lab, job), "CANCELLED");
    ck_assert_str_eq(lab_state(lab, kept), "RUNNING");
    ck_assert_uint_eq(job_find_step(lab_job(lab, kept), 0)->rec.end_state, JOB_CANCELLED);
    lab_free(lab);
}
END_TEST

START_TEST(an_inactive_limit_ends_what_salloc_got_too)
{
    struct lab *lab = lab_new("nodes=3 inactive=1");
    uint32_t run = lab_allocate(lab, "", ""), alloc = lab_allocate(lab, "", NULL),
             alone = lab_allocate(lab, "no_client=1", NULL);

    control_client_gone(lab_act(lab, NULL), run, COUNT_UNSET, false);
    control_client_gone(lab_act(lab, NULL), alloc, COUNT_UNSET, false);
    control_client_gone(lab_act(lab, NULL), alone, COUNT_UNSET, false);
    lab_wait(lab, 61);

    ck_assert_str_eq(lab_state(lab, run), "TIMEOUT");
    ck_assert_str_eq(lab_state(lab, alloc), "TIMEOUT");
    ck_assert_str_eq(lab_reason(lab, alloc), "InactiveLimit");
    ck_assert_str_eq(lab_state(lab, alone), "RUNNING");
    lab_free(lab);
}
END_TEST

START_TEST(an_srun_that_comes_back_is_told_where_it_stands)
{
    struct lab *lab = lab_new("nodes=1");
    struct caller caller = lab_caller(LAB_USER), other = lab_caller(LAB_OTHER);
    uint32_t job = lab_allocate(lab, "token=abc", ""), got_job = 0, got_step = 0;
    struct job_attach request = { .job_id = 0, .step_id = COUNT_UNSET, .token = "abc" };

    control_client_gone(lab_act(lab, NULL), job, COUNT_UNSET, false);
    lab_wait(lab, 30);
    lab_quiet(lab);
    ck_assert_int_eq(control_attach(lab_act(lab, &other), &request, &got_job, &got_step, NULL),
                     -E_JOB_ID);
    ck_assert_int_eq(control_attach(lab_act(lab, &caller), &request, &got_job, &got_step, NULL), 0);
    lab_wait(lab, 60);

    ck_assert_uint_eq(got_job, job);
    ck_assert_str_eq(lab_state(lab, job), "RUNNING");
    ck_assert_str_eq(strbuf_text(&lab->said), "job 1 granted n1\nstep 1.0 created n1\n");
    lab_free(lab);
}
END_TEST

START_TEST(a_license_comes_back_with_the_end_of_its_job)
{
    struct lab *lab = lab_new("nodes=1 cpus=4 licenses=3");
    lab_submit(lab, "ntasks=1 licenses=matlab:2");
    lab_submit(lab, "ntasks=1 licenses=matlab:2");

    ck_assert_uint_eq(lab_job(lab, 2)->rec.state, JOB_PENDING);
    lab_exit(lab, 1, STEP_BATCH, 0);

    ck_assert_uint_eq(lab_job(lab, 2)->rec.state, JOB_RUNNING);
    lab_free(lab);
}
END_TEST

START_TEST(a_job_that_can_do_with_less_gets_the_time_that_there_is)
{
    struct lab *lab = lab_new("nodes=2 cpus=4 backfill");
    lab_submit(lab, "nodes=1 on=n1 ntasks=4 time=600");
    lab_submit(lab, "nodes=2 exclusive time=600");
    lab_submit(lab, "ntasks=1 time=1200 time_min=300");

    ck_assert_uint_eq(lab_job(lab, 3)->rec.state, JOB_RUNNING);
    ck_assert_int_le(lab_job(lab, 3)->rec.spec->time_limit, 600);
    ck_assert_int_ge(lab_job(lab, 3)->rec.spec->time_limit, 300);
    lab_free(lab);
}
END_TEST

START_TEST(tasks_lie_as_planned)
{
    struct lab *lab = lab_new("nodes=2 cpus=4");
    uint32_t tasks[2];
    lab_submit(lab, "nodes=2 max_nodes=2 ntasks=4");

    job_tasks_per_node(control_model(lab->control), lab_job(lab, 1), tasks);

    ck_assert_uint_eq(tasks[0] + tasks[1], 4);
    ck_assert_uint_eq(tasks[0], lab_job(lab, 1)->rec.nodes[0].tasks);
    lab_free(lab);
}
END_TEST

CHECK_MAIN(jobs, CASE(a_batch_job_runs_its_script_on_its_first_node_and_completes),
           LOOP_CASE(the_end_of_the_script_decides_the_state, ARRAY_N(ends)),
           CASE(a_job_that_finds_no_room_waits_and_starts_when_there_is),
           CASE(a_job_is_completing_until_its_nodes_are_clean),
           CASE(a_running_job_is_cancelled_by_its_owner),
           CASE(a_waiting_job_is_cancelled_at_once_and_keeps_its_reason),
           CASE(another_user_may_not_touch_a_job_but_root_may),
           CASE(a_signal_goes_to_the_steps_or_where_the_flags_say),
           CASE(a_job_over_its_limit_times_out), CASE(a_warning_is_sent_once_before_the_limit),
           CASE(a_job_begins_not_before_it_was_asked_to),
           CASE(a_wall_clock_that_jumps_takes_begin_along_but_not_the_limit),
           CASE(an_ended_job_is_retired_after_min_job_age),
           CASE(an_srun_job_ends_with_its_step_and_its_stream_ends_last),
           CASE(a_cancelled_srun_job_tells_the_step_first_and_the_job_last),
           CASE(what_salloc_got_lasts_until_it_is_released),
           CASE(only_a_job_that_has_to_wait_is_said_to_be_queued),
           CASE(a_new_connection_counts_before_the_old_one_is_gone),
           CASE(an_srun_job_whose_waiting_step_is_cancelled_is_cancelled),
           CASE(an_srun_job_whose_step_can_never_fit_fails_and_says_why),
           CASE(an_srun_that_stays_away_loses_its_job_after_the_grace),
           CASE(an_srun_that_was_killed_loses_its_job_and_step_soon),
           CASE(an_inactive_limit_ends_what_salloc_got_too),
           CASE(an_srun_that_comes_back_is_told_where_it_stands),
           CASE(a_license_comes_back_with_the_end_of_its_job),
           CASE(a_job_that_can_do_with_less_gets_the_time_that_there_is),
           CASE(tasks_lie_as_planned))
