/* Jobs that run again, and jobs that are stopped for a while. */
#include "unit/check_main.h"

#include <signal.h>
#include <string.h>

#include "ctld/control/answer/attach.h"
#include "unit/ctld/control/lab.h"
#include "ctld/control/control.h"

#define EXIT(code) ((code) << 8)
#define LAB        "nodes=1 cpus=2 requeue=1 requeue_exit=3 requeue_exit_hold=4"

/* ---- requeue ---- */

START_TEST(a_job_that_runs_is_ended_and_runs_again)
{
    struct lab *lab = lab_new(LAB);
    const uint32_t id = lab_submit(lab, "");
    const uint32_t launch = lab_job(lab, id)->rec.launch_number;

    ck_assert_str_eq(lab_requeue(lab, LAB_USER, id, 0), "");
    ck_assert_ptr_nonnull(strstr(strbuf_text(&lab->orders), "DUE TO JOB REQUEUE"));
    lab_wait(lab, 1);
    ck_assert_str_eq(lab_state(lab, id), "RUNNING");
    ck_assert_uint_eq(lab_job(lab, id)->rec.restarts, 1);
    ck_assert_uint_eq(lab_job(lab, id)->rec.launch_number, launch + 1);
    lab_free(lab);
}
END_TEST

/* As Slurm 22.05 does, whatever the reason was. */
START_TEST(a_requeued_job_waits_for_two_minutes)
{
    struct lab *lab = lab_new(LAB " requeue_delay=121");
    const uint32_t id = lab_submit(lab, "");
    const int64_t submitted = lab_job(lab, id)->rec.submit_time;

    lab_wait(lab, 10);
    if (_i == 0)
        lab_requeue(lab, LAB_USER, id, 0);
    else if (_i == 1)
        lab_exit(lab, id, STEP_BATCH, EXIT(3));
    else
        lab_update(lab, 0, "n1", NODE_UPDATE_DOWN, "broken");
    lab_update(lab, 0, "n1", NODE_UPDATE_RESUME, NULL);
    lab_wait(lab, 1);
    ck_assert_str_eq(lab_state(lab, id), "PENDING");
    ck_assert_str_eq(lab_reason(lab, id), "BeginTime");
    ck_assert_int_eq(lab_job(lab, id)->rec.submit_time, submitted + 10);
    ck_assert_int_eq(lab_job(lab, id)->rec.eligible_time, submitted + 131);
    lab_restart(lab, LAB);
    lab_wait(lab, 115);
    ck_assert_str_eq(lab_state(lab, id), "PENDING");
    lab_wait(lab, 10);
    ck_assert_str_eq(lab_state(lab, id), "RUNNING");
    lab_free(lab);
}
END_TEST

START_TEST(a_job_that_is_over_runs_again)
{
    struct lab *lab = lab_new(LAB);
    const uint32_t id = lab_submit(lab, "");

    if (_i == 0)
        lab_exit(lab, id, STEP_BATCH, EXIT(1));
    else if (_i == 1)
        lab_exit(lab, id, STEP_BATCH, 0);
    else
        lab_cancel(lab, id);
    lab_wait(lab, 5);
    ck_assert_str_eq(lab_requeue(lab, LAB_USER, id, REQUEUE_INCOMPLETE), "");
    ck_assert(job_state_is_over(lab_job(lab, id)->rec.state));

    ck_assert_str_eq(lab_requeue(lab, LAB_USER, id, 0), "");
    ck_assert_str_eq(lab_state(lab, id), "RUNNING");
    ck_assert_uint_eq(lab_job(lab, id)->rec.ended_by, COUNT_UNSET);
    lab_restart(lab, LAB);
    lab_wait(lab, 500); /* it is not retired with the time of its first end */
    ck_assert_str_eq(lab_state(lab, id), "RUNNING");
    lab_exit(lab, id, STEP_BATCH, 0);
    ck_assert_str_eq(lab_state(lab, id), "COMPLETED");
    lab_free(lab);
}
END_TEST

/* What a node says of a step that it launched for an earlier run. */
static void say_of_launch(struct lab *lab, const char *node, uint32_t job, uint32_t launch,
                          uint32_t state, int32_t status)
{
    struct task_exit exits[] = { { .task = 0, .status = status } };
    const struct step_report report = { .job_id = job,
                                        .step_id = 0,
                                        .launch_number = launch,
                                        .state = state,
                                        .exits = exits,
                                        .exits_n = state == HELD_ENDED };

    control_step_report(lab_act(lab, NULL), node, &report);
    lab_settle(lab);
}

START_TEST(steps_of_a_new_run_begin_at_0_again)
{
    struct lab *lab = lab_new("nodes=2 cpus=2 requeue=1");
    const uint32_t id = lab_submit(lab, "nodes=2");
    const struct step *step;

    ck_assert_uint_eq(lab_step(lab, id, "nodes=1 ntasks=1"), 0);
    lab_exit(lab, id, 0, EXIT(7));
    ck_assert_uint_eq(lab_step(lab, id, "nodes=1 ntasks=1"), 1);
    ck_assert_str_eq(lab_requeue(lab, LAB_USER, id, 0), "");
    lab_wait(lab, 1);
    if (_i == 1)
        lab_restart(lab, "nodes=2 cpus=2 requeue=1");

    ck_assert_ptr_null(job_find_step(lab_job(lab, id), 1));
    ck_assert_uint_eq(lab_step(lab, id, "nodes=1 ntasks=1"), 0);
    step = job_find_step(lab_job(lab, id), 0);
    ck_assert_uint_eq(step->rec.state, STEP_RUNNING);
    ck_assert_uint_eq(step->rec.launch_number, 2);
    ck_assert_int_eq(step->rec.exit_status, 0);
    lab_restart(lab, "nodes=2 cpus=2 requeue=1");
    ck_assert_uint_eq(lab_step(lab, id, "nodes=1 ntasks=1"), 1);
    lab_free(lab);
}
END_TEST

START_TEST(what_a_step_of_an_earlier_run_does_is_not_the_new_ones)
{
    struct lab *lab = lab_new("nodes=1 cpus=2 requeue=1");
    const uint32_t id = lab_submit(lab, "");
    const struct step *step;

    lab_step(lab, id, "nodes=1 ntasks=1");
    ck_assert_str_eq(lab_requeue(lab, LAB_USER, id, 0), "");
    lab_wait(lab, 1);
    lab_step(lab, id, "nodes=1 ntasks=1");
    step = job_find_step(lab_job(lab, id), 0);

    say_of_launch(lab, "n1", id, 1, HELD_RUNNING, 0);
    ck_assert_uint_eq(step->rec.state, STEP_RUNNING);
    say_of_launch(lab, "n1", id, 1, HELD_ENDED, EXIT(9));
    ck_assert_uint_eq(step->rec.state, STEP_RUNNING);
    ck_assert_int_eq(step->rec.exit_status, 0);
    lab_free(lab);
}
END_TEST

START_TEST(an_srun_of_an_earlier_run_is_not_told_of_the_new_step)
{
    struct lab *lab = lab_new("nodes=1 cpus=2 requeue=1");
    const struct caller caller = lab_caller(LAB_USER);
    const uint32_t id = lab_submit(lab, "");
    struct job_attach request = { .job_id = id, .step_id = 0, .token = (char *)"first" };
    uint32_t job, step;

    lab_step(lab, id, "nodes=1 ntasks=1 token=first");
    ck_assert_int_eq(control_attach(lab_act(lab, &caller), &request, &job, &step, NULL), 0);
    ck_assert_str_eq(lab_requeue(lab, LAB_USER, id, 0), "");
    lab_wait(lab, 1);
    lab_step(lab, id, "nodes=1 ntasks=1 token=second");

    ck_assert_int_eq(control_attach(lab_act(lab, &caller), &request, &job, &step, NULL),
                     -E_STEP_ID);
    request.token = (char *)"second";
    ck_assert_int_eq(control_attach(lab_act(lab, &caller), &request, &job, &step, NULL), 0);
    lab_free(lab);
}
END_TEST

START_TEST(not_every_job_can_run_again)
{
    struct lab *lab = lab_new("nodes=1 cpus=4 requeue=1");
    const uint32_t once = lab_submit(lab, "cpus=1 requeue=1");
    const uint32_t run = lab_allocate(lab, "cpus=1", "");
    const uint32_t other = lab_submit(lab, "cpus=1");
    const uint32_t waits = lab_submit(lab, "hold=1");

    ck_assert_str_eq(lab_requeue(lab, 0, once, 0), "Requested operation is presently disabled");
    ck_assert_str_eq(lab_requeue(lab, LAB_USER, run, 0),
                     "Only batch jobs are accepted or processed");
    ck_assert_str_eq(lab_requeue(lab, LAB_USER + 1, other, 0), "Access/permission denied");
    ck_assert_str_eq(lab_requeue(lab, LAB_USER, waits, 0), "Job is pending execution");
    ck_assert_str_eq(lab_requeue(lab, LAB_USER, 99, 0), "Invalid job id specified");
    ck_assert_str_eq(lab_state(lab, other), "RUNNING");
    lab_free(lab);
}
END_TEST

START_TEST(a_requeued_job_may_be_held)
{
    struct lab *lab = lab_new(LAB);
    const uint32_t id = lab_submit(lab, "");
    const uint32_t flags = REQUEUE_HOLD | (_i ? REQUEUE_SPECIAL_EXIT : 0);

    ck_assert_str_eq(lab_requeue(lab, LAB_USER, id, flags), "");
    lab_wait(lab, 10);
    ck_assert_str_eq(lab_state(lab, id), _i ? "SPECIAL_EXIT" : "PENDING");
    ck_assert_str_eq(lab_reason_text(lab, id), "job requeued in held state");
    ck_assert_int_eq(lab_job(lab, id)->rec.exit_status, 0);
    lab_restart(lab, LAB);
    lab_wait(lab, 10);
    ck_assert_str_eq(lab_state(lab, id), _i ? "SPECIAL_EXIT" : "PENDING");

    ck_assert_str_eq(lab_hold(lab, LAB_USER, id, HOLD_RELEASE), "");
    ck_assert_str_eq(lab_state(lab, id), "RUNNING");
    lab_free(lab);
}
END_TEST

START_TEST(exit_codes_say_that_a_script_is_to_run_again)
{
    struct lab *lab = lab_new(LAB);
    const uint32_t id = lab_submit(lab, "requeue=1");

    lab_exit(lab, id, STEP_BATCH, EXIT(3));
    lab_wait(lab, 1);
    ck_assert_str_eq(lab_state(lab, id), "RUNNING");
    ck_assert_uint_eq(lab_job(lab, id)->rec.restarts, 1);
    lab_exit(lab, id, STEP_BATCH, EXIT(4));
    lab_wait(lab, 1);
    ck_assert_str_eq(lab_state(lab, id), "SPECIAL_EXIT");
    ck_assert_str_eq(lab_reason(lab, id), "JobHeldUser");
    ck_assert_int_eq(lab_job(lab, id)->rec.exit_status, EXIT(4));
    ck_assert(!(lab_job(lab, id)->rec.flags & JOB_FLAG_REQUEUED_HELD));
    lab_hold(lab, LAB_USER, id, HOLD_RELEASE);
    lab_exit(lab, id, STEP_BATCH, EXIT(5));
    ck_assert_str_eq(lab_state(lab, id), "FAILED");
    lab_free(lab);
}
END_TEST

START_TEST(a_task_that_is_over_waits_before_it_runs_again)
{
    struct lab *lab = lab_new("nodes=1 cpus=2 requeue=1 requeue_delay=100");
    const uint32_t id = lab_submit(lab, "array=1-2%1");
    const struct job *task;

    lab_exit(lab, model_find_task(control_model(lab->control), id, 1)->rec.id, STEP_BATCH, 0);
    task = model_find_task(control_model(lab->control), id, 1);
    ck_assert_str_eq(lab_requeue(lab, LAB_USER, task->rec.id, 0), "");
    lab_exit(lab, model_find_task(control_model(lab->control), id, 2)->rec.id, STEP_BATCH, 0);
    lab_wait(lab, 90);
    ck_assert_uint_eq(task->rec.state, JOB_PENDING);

    lab_wait(lab, 20);
    ck_assert_uint_eq(task->rec.state, JOB_RUNNING);
    lab_free(lab);
}
END_TEST

START_TEST(a_signal_is_no_exit_code)
{
    struct lab *lab = lab_new(LAB);
    const uint32_t id = lab_submit(lab, "");

    lab_exit(lab, id, STEP_BATCH, 3); /* killed by signal 3 */
    ck_assert_str_eq(lab_state(lab, id), "FAILED");
    lab_free(lab);
}
END_TEST

/* ---- suspend ---- */

START_TEST(time_stands_still_while_a_job_is_suspended)
{
    struct lab *lab = lab_new("nodes=1 cpus=1");
    const uint32_t id = lab_submit(lab, "time=600");

    lab_wait(lab, 100);
    ck_assert_str_eq(lab_suspend(lab, 0, id, false), "");
    ck_assert_str_eq(lab_state(lab, id), "SUSPENDED");
    ck_assert_int_eq(lab_job(lab, id)->rec.pre_suspend_s, 100);
    lab_wait(lab, 1000);
    lab_restart(lab, "nodes=1 cpus=1");
    lab_wait(lab, 1000);
    ck_assert_str_eq(lab_state(lab, id), "SUSPENDED");

    ck_assert_str_eq(lab_suspend(lab, 0, id, true), "");
    ck_assert_int_eq(lab_job(lab, id)->rec.end_time, lab->now.wall_s + 500);
    lab_wait(lab, 490);
    ck_assert_str_eq(lab_state(lab, id), "RUNNING");
    lab_wait(lab, 20);
    ck_assert_str_eq(lab_state(lab, id), "TIMEOUT");
    lab_free(lab);
}
END_TEST

START_TEST(all_processes_are_stopped_and_go_on)
{
    struct lab *lab = lab_new("nodes=2 cpus=1");
    const uint32_t id = lab_submit(lab, "nodes=2");

    lab_quiet(lab);
    lab_suspend(lab, 0, id, false);
    ck_assert_str_eq(strbuf_text(&lab->orders), "n1: signal 19 of 1 flags 4\n"
                                                "n2: signal 19 of 1 flags 4\n");
    lab_quiet(lab);
    lab_suspend(lab, 0, id, true);
    ck_assert_str_eq(strbuf_text(&lab->orders), "n1: signal 18 of 1 flags 4\n"
                                                "n2: signal 18 of 1 flags 4\n");
    lab_free(lab);
}
END_TEST

START_TEST(a_node_that_comes_back_is_told_once_more)
{
    struct lab *lab = lab_new("nodes=1 cpus=1");
    const uint32_t id = lab_submit(lab, "");

    lab_lose(lab, "n1");
    lab_suspend(lab, 0, id, false);
    lab_quiet(lab);
    lab_register(lab, "n1");
    ck_assert_ptr_nonnull(strstr(strbuf_text(&lab->orders), "n1: signal 19 of 1"));
    lab_lose(lab, "n1");
    lab_suspend(lab, 0, id, true);
    lab_quiet(lab);
    lab_register(lab, "n1");
    ck_assert_ptr_nonnull(strstr(strbuf_text(&lab->orders), "n1: signal 18 of 1"));
    lab_free(lab);
}
END_TEST

START_TEST(a_suspended_job_keeps_its_nodes)
{
    struct lab *lab = lab_new("nodes=1 cpus=1");
    const uint32_t first = lab_submit(lab, "time=60");
    const uint32_t second = lab_submit(lab, "time=60");

    lab_suspend(lab, 0, first, false);
    lab_wait(lab, 1000);
    ck_assert_str_eq(lab_state(lab, second), "PENDING");
    ck_assert_str_eq(lab_node_state(lab, "n1"), "ALLOCATED");
    lab_cancel(lab, first);
    lab_wait(lab, 1);
    ck_assert_str_eq(lab_state(lab, first), "CANCELLED");
    ck_assert_str_eq(lab_state(lab, second), "RUNNING");
    lab_free(lab);
}
END_TEST

START_TEST(a_suspended_job_can_be_requeued_and_lose_its_node)
{
    struct lab *lab = lab_new("nodes=1 cpus=1 requeue=1 timeout=100 return=1");
    const uint32_t id = lab_submit(lab, "");

    lab_suspend(lab, 0, id, false);
    ck_assert_str_eq(lab_requeue(lab, LAB_USER, id, 0), "");
    lab_wait(lab, 1);
    ck_assert_str_eq(lab_state(lab, id), "RUNNING");
    ck_assert_int_eq(lab_job(lab, id)->rec.suspend_time, 0);
    lab_suspend(lab, 0, id, false);
    lab_lose(lab, "n1");
    lab_wait(lab, 200);
    ck_assert_str_eq(lab_state(lab, id), "PENDING");
    lab_free(lab);
}
END_TEST

START_TEST(only_operators_suspend_and_only_what_runs)
{
    struct lab *lab = lab_new("nodes=1 cpus=1");
    const uint32_t runs = lab_submit(lab, "");
    const uint32_t waits = lab_submit(lab, "");

    ck_assert_str_eq(lab_suspend(lab, LAB_USER, runs, false), "Access/permission denied");
    ck_assert_str_eq(lab_suspend(lab, 0, waits, false), "Job is pending execution");
    ck_assert_str_eq(lab_suspend(lab, 0, runs, true), "Job is not suspended");
    lab_suspend(lab, 0, runs, false);
    ck_assert_str_eq(lab_suspend(lab, 0, runs, false), "");
    ck_assert_uint_eq(lab_step(lab, runs, ""), COUNT_UNSET);
    ck_assert_int_eq(lab->rc, -E_JOB_SUSPENDED);
    lab_exit(lab, runs, STEP_BATCH, 0);
    ck_assert_str_eq(lab_suspend(lab, 0, runs, false), "Job/step already completing or completed");
    lab_free(lab);
}
END_TEST

CHECK_MAIN(requeue, CASE(a_job_that_runs_is_ended_and_runs_again),
           LOOP_CASE(a_requeued_job_waits_for_two_minutes, 3),
           LOOP_CASE(a_job_that_is_over_runs_again, 3),
           LOOP_CASE(steps_of_a_new_run_begin_at_0_again, 2),
           CASE(what_a_step_of_an_earlier_run_does_is_not_the_new_ones),
           CASE(an_srun_of_an_earlier_run_is_not_told_of_the_new_step),
           CASE(not_every_job_can_run_again), LOOP_CASE(a_requeued_job_may_be_held, 2),
           CASE(exit_codes_say_that_a_script_is_to_run_again),
           CASE(a_task_that_is_over_waits_before_it_runs_again), CASE(a_signal_is_no_exit_code),
           CASE(time_stands_still_while_a_job_is_suspended),
           CASE(all_processes_are_stopped_and_go_on),
           CASE(a_node_that_comes_back_is_told_once_more), CASE(a_suspended_job_keeps_its_nodes),
           CASE(a_suspended_job_can_be_requeued_and_lose_its_node),
           CASE(only_operators_suspend_and_only_what_runs))
