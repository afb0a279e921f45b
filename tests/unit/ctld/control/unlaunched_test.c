/* What becomes of a job whose script a node could not start. */
#include "unit/check_main.h"

#include <errno.h>
#include <string.h>

#include "unit/ctld/control/lab.h"
#include "ctld/control/control.h"
#include "ctld/control/node/node.h"

/* The job's launch comes to nothing on n1, which then does what it is told again. */
static void say(struct lab *lab, uint32_t job, uint32_t step, const struct step_report *what)
{
    struct step_report report = *what;

    report.job_id = job;
    report.step_id = step;
    report.launch_number = lab_job(lab, job)->rec.launch_number;
    report.error = report.error ? report.error : (char *)"no such directory: /nowhere";
    control_step_report(lab_act(lab, NULL), "n1", &report);
    lab_node(lab, "n1")->deaf = false;
    lab_register(lab, "n1");
    lab_settle(lab);
}

static uint32_t fail_launch(struct lab *lab, const char *text, const struct step_report *what)
{
    uint32_t job;

    lab_node(lab, "n1")->deaf = true;
    job = lab_submit(lab, text);
    say(lab, job, STEP_BATCH, what);
    return job;
}

static const struct node_record *first_node(struct lab *lab)
{
    return &model_find_node(control_model(lab->control), "n1")->rec;
}

static const struct step_report of_job[] = {
    { .state = HELD_REFUSED },
    { .state = HELD_ENDED, .code = ENOENT }, /* its files could not be opened */
};

START_TEST(what_the_job_asked_wrongly_fails_it_with_the_nodes_words)
{
    struct lab *lab = lab_new("nodes=1 requeue=1");
    const uint32_t job = fail_launch(lab, "", &of_job[_i]);

    ck_assert_str_eq(lab_state(lab, job), "FAILED");
    ck_assert_str_eq(lab_reason(lab, job), "JobLaunchFailure");
    ck_assert_str_eq(lab_reason_text(lab, job), "launch failed: no such directory: /nowhere");
    ck_assert_int_eq(lab_job(lab, job)->rec.exit_status, 53);
    ck_assert(!first_node(lab)->drain);
    lab_free(lab);
}
END_TEST

static const struct step_report of_node[] = {
    { .state = HELD_REFUSED, .code = EAGAIN, .by_node = true },
    { .state = HELD_ENDED, .code = EIO, .by_node = true },
};

START_TEST(what_the_node_cannot_do_lets_the_job_wait_held)
{
    struct lab *lab = lab_new("nodes=1 requeue=1");
    const uint32_t job = fail_launch(lab, "", &of_node[_i]);

    ck_assert_str_eq(lab_state(lab, job), "PENDING");
    ck_assert_str_eq(lab_reason_text(lab, job), "launch failed requeued held");
    ck_assert_uint_eq(lab_job(lab, job)->rec.priority, 0);
    ck_assert_uint_eq(lab_job(lab, job)->rec.restarts, 1);
    lab_restart(lab, "nodes=1 requeue=1");
    ck_assert_str_eq(lab_reason_text(lab, job), "launch failed requeued held");

    lab_hold(lab, LAB_USER, job, HOLD_RELEASE);
    ck_assert_str_eq(lab_state(lab, job), "RUNNING");
    ck_assert(!first_node(lab)->drain);
    lab_free(lab);
}
END_TEST

START_TEST(a_job_that_may_not_be_requeued_is_cancelled_then)
{
    struct lab *lab = lab_new("nodes=1 requeue=1");
    AUTO_FREE char *text = xasprintf("requeue=%d", REQUEUE_NO);
    const uint32_t job = fail_launch(lab, text, &of_node[_i]);

    ck_assert_str_eq(lab_state(lab, job), "CANCELLED");
    ck_assert_str_eq(lab_reason(lab, job), "JobLaunchFailure");
    ck_assert_uint_eq(lab_job(lab, job)->rec.ended_by, 0);
    lab_free(lab);
}
END_TEST

START_TEST(a_node_that_cannot_write_its_spool_is_drained)
{
    const struct step_report report = { .state = HELD_REFUSED,
                                        .code = E_SPOOL,
                                        .error = (char *)"SlurmdSpoolDir is full",
                                        .by_node = true };
    struct lab *lab = lab_new("nodes=1 requeue=1");
    const uint32_t job = fail_launch(lab, "", &report);

    ck_assert(first_node(lab)->drain);
    ck_assert_str_eq(first_node(lab)->reason, "SlurmdSpoolDir is full");
    lab_hold(lab, LAB_USER, job, HOLD_RELEASE);
    ck_assert_str_eq(lab_state(lab, job), "PENDING");
    lab_free(lab);
}
END_TEST

START_TEST(a_step_that_a_node_cannot_start_fails_alone)
{
    struct lab *lab = lab_new("nodes=1 requeue=1");
    const uint32_t job = lab_submit(lab, "");

    lab_node(lab, "n1")->deaf = true;
    lab_step(lab, job, "");
    say(lab, job, 0, &of_node[0]);

    ck_assert_str_eq(lab_state(lab, job), "RUNNING");
    ck_assert_uint_eq(job_find_step(lab_job(lab, job), 0)->rec.end_state, JOB_FAILED);
    lab_free(lab);
}
END_TEST

START_TEST(a_script_that_is_lost_too_often_waits_held)
{
    const struct step_report lost = { .state = HELD_LOST };
    struct lab *lab = lab_new("nodes=1 requeue=1");
    const uint32_t job = fail_launch(lab, "", &lost);

    for (int times = 1; times < 5; times++) {
        ck_assert_str_eq(lab_state(lab, job), "RUNNING");
        ck_assert_uint_eq(lab_job(lab, job)->rec.lost_launches, (uint32_t)times);
        lab_node(lab, "n1")->deaf = true;
        say(lab, job, STEP_BATCH, &lost);
    }
    ck_assert_str_eq(lab_state(lab, job), "PENDING");
    ck_assert_str_eq(lab_reason(lab, job), "JobHoldMaxRequeue");
    lab_restart(lab, "nodes=1 requeue=1");
    ck_assert_str_eq(lab_reason_text(lab, job), "launch failure limit exceeded requeued held");

    lab_hold(lab, LAB_USER, job, HOLD_RELEASE);
    ck_assert_str_eq(lab_state(lab, job), "RUNNING");
    ck_assert_uint_eq(lab_job(lab, job)->rec.lost_launches, 0);
    lab_free(lab);
}
END_TEST

CHECK_MAIN(unlaunched,
           LOOP_CASE(what_the_job_asked_wrongly_fails_it_with_the_nodes_words, ARRAY_N(of_job)),
           LOOP_CASE(what_the_node_cannot_do_lets_the_job_wait_held, ARRAY_N(of_node)),
           LOOP_CASE(a_job_that_may_not_be_requeued_is_cancelled_then, ARRAY_N(of_node)),
           CASE(a_node_that_cannot_write_its_spool_is_drained),
           CASE(a_step_that_a_node_cannot_start_fails_alone),
           CASE(a_script_that_is_lost_too_often_waits_held))
