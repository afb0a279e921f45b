/* Nodes that register, go away, come back changed, and what operators do to them. */
#include "unit/check_main.h"

#include <errno.h>

#include "unit/ctld/control/lab.h"
#include "ctld/control/act/act.h"
#include "ctld/control/control.h"
#include "ctld/control/node/node.h"
#include "ctld/control/node/update.h"
#include "ctld/control/tick.h"

START_TEST(a_node_that_never_came_is_unknown_and_then_down)
{
    struct lab *lab = lab_new("nodes=1 away");

    ck_assert_str_eq(lab_node_state(lab, "n1"), "UNKNOWN+NOT_RESPONDING");
    lab_wait(lab, 301);
    ck_assert_str_eq(lab_node_state(lab, "n1"), "DOWN+NOT_RESPONDING");
    ck_assert_str_eq(model_find_node(control_model(lab->control), "n1")->rec.reason,
                     "Not responding");
    lab_free(lab);
}
END_TEST

static const struct {
    const char *opts, *state;
} returns[] = {
    { "nodes=1 return=0", "DOWN" },
    { "nodes=1 return=1", "IDLE" },
    { "nodes=1 return=2", "IDLE" },
};

START_TEST(return_to_service_decides_whether_a_lost_node_comes_back)
{
    struct lab *lab = lab_new(returns[_i].opts);

    lab_lose(lab, "n1");
    lab_wait(lab, 299);
    ck_assert_str_eq(lab_node_state(lab, "n1"), "IDLE+NOT_RESPONDING");
    lab_wait(lab, 2);
    ck_assert_str_eq(lab_node_state(lab, "n1"), "DOWN+NOT_RESPONDING");
    lab_register(lab, "n1");

    ck_assert_str_eq(lab_node_state(lab, "n1"), returns[_i].state);
    lab_free(lab);
}
END_TEST

/* How a node goes down, and how it is back. */
enum going { LOST, SET_DOWN };
enum coming { SAME_DAEMON, NEW_DAEMON, NEW_BOOT };

static const struct {
    const char *opts;
    enum going going;
    enum coming coming;
    const char *state;
} rules[] = {
    { "nodes=1 return=0", LOST, SAME_DAEMON, "DOWN" },
    { "nodes=1 return=0", LOST, NEW_DAEMON, "DOWN" },
    { "nodes=1 return=0", LOST, NEW_BOOT, "DOWN" },
    { "nodes=1 return=0", SET_DOWN, SAME_DAEMON, "DOWN" },
    { "nodes=1 return=0", SET_DOWN, NEW_DAEMON, "DOWN" },
    { "nodes=1 return=0", SET_DOWN, NEW_BOOT, "DOWN" },
    { "nodes=1 return=1", LOST, SAME_DAEMON, "IDLE" },
    { "nodes=1 return=1", LOST, NEW_DAEMON, "IDLE" },
    { "nodes=1 return=1", LOST, NEW_BOOT, "DOWN" }, /* as in Slurm 22.05 */
    { "nodes=1 return=1", SET_DOWN, SAME_DAEMON, "DOWN" },
    { "nodes=1 return=1", SET_DOWN, NEW_DAEMON, "DOWN" },
    { "nodes=1 return=1", SET_DOWN, NEW_BOOT, "DOWN" },
    { "nodes=1 return=2", LOST, SAME_DAEMON, "IDLE" },
    { "nodes=1 return=2", LOST, NEW_DAEMON, "IDLE" },
    { "nodes=1 return=2", LOST, NEW_BOOT, "IDLE" },
    { "nodes=1 return=2", SET_DOWN, SAME_DAEMON, "DOWN" },
    { "nodes=1 return=2", SET_DOWN, NEW_DAEMON, "IDLE" },
    { "nodes=1 return=2", SET_DOWN, NEW_BOOT, "IDLE" },
};

START_TEST(each_rule_of_return_to_service_holds_for_each_way_down_and_back)
{
    struct lab *lab = lab_new(rules[_i].opts);

    if (rules[_i].going == LOST) {
        lab_lose(lab, "n1");
        lab_wait(lab, 301);
    } else {
        lab_update(lab, 0, "n1", NODE_UPDATE_DOWN, "disk");
    }
    if (rules[_i].coming == NEW_DAEMON)
        lab_node(lab, "n1")->started++;
    if (rules[_i].coming == NEW_BOOT)
        lab_reboot(lab, "n1");
    else
        lab_register(lab, "n1");

    ck_assert_str_eq(lab_node_state(lab, "n1"), rules[_i].state);
    lab_free(lab);
}
END_TEST

START_TEST(a_lost_node_that_has_rebooted_says_so_and_stays_down)
{
    struct lab *lab = lab_new("nodes=1 return=1");

    lab_lose(lab, "n1");
    lab_wait(lab, 301);
    lab_reboot(lab, "n1");
    lab_register(lab, "n1"); /* a connection that breaks later is no way back */

    ck_assert_str_eq(lab_node_state(lab, "n1"), "DOWN");
    ck_assert_str_eq(model_find_node(control_model(lab->control), "n1")->rec.reason,
                     "Node unexpectedly rebooted");
    lab_free(lab);
}
END_TEST

START_TEST(jobs_of_a_dead_node_fail)
{
    struct lab *lab = lab_new("nodes=2 cpus=1");
    uint32_t job = lab_submit(lab, "nodes=2");

    lab_lose(lab, "n2");
    lab_wait(lab, 301);

    ck_assert_str_eq(lab_state(lab, job), "NODE_FAIL");
    ck_assert_str_eq(lab_reason(lab, job), "NodeDown");
    ck_assert_str_eq(lab_reason_text(lab, job), "NodeDown: n2: Not responding");
    ck_assert_uint_eq(job_find_step(lab_job(lab, job), STEP_BATCH)->rec.end_state, JOB_CANCELLED);
    ck_assert_str_eq(lab_node_state(lab, "n1"), "IDLE");
    lab_free(lab);
}
END_TEST

START_TEST(a_job_that_may_be_requeued_waits_for_other_nodes_and_runs_again)
{
    struct lab *lab = lab_new("nodes=2 cpus=1 requeue");
    uint32_t job = lab_submit(lab, "nodes=2");

    lab_lose(lab, "n1");
    lab_wait(lab, 301);
    ck_assert_str_eq(lab_state(lab, job), "PENDING");
    ck_assert_uint_eq(lab_job(lab, job)->rec.restarts, 1);
    ck_assert_uint_eq(lab_job(lab, job)->rec.nodes_n, 0);

    lab_update(lab, 0, "n1", NODE_UPDATE_RESUME, NULL);
    lab_quiet(lab);
    lab_register(lab, "n1");
    ck_assert_str_eq(lab_state(lab, job), "RUNNING");
    ck_assert_str_eq(strbuf_text(&lab->orders),
                     "n1: end 1\nn1: launch 1.batch #2\nn1: forget 1.batch\n");
    lab_exit(lab, job, STEP_BATCH, 0);
    ck_assert_str_eq(lab_state(lab, job), "COMPLETED");
    lab_free(lab);
}
END_TEST

/* The last run that was given up, as it is kept. */
static void find_run(const struct lab *lab, struct job_record *ret)
{
    const struct change *change = NULL;

    for (uint32_t i = 0; i < lab->kept_n; i++) {
        if (lab->kept[i].kind == CHANGE_RUN)
            change = &lab->kept[i];
    }
    ck_assert_ptr_nonnull(change);
    ck_assert_int_eq(
        schema_decode(job_record_schema(), change->record.data, change->record.n, ret, NULL), 0);
    ck_assert_uint_eq(change->run, ret->launch_number);
}

START_TEST(what_a_requeued_job_was_is_kept_as_it_ended)
{
    struct lab *lab = lab_new("nodes=2 cpus=1 requeue");
    uint32_t job = lab_submit(lab, "nodes=2");
    AUTO(job_record) struct job_record run;

    lab_lose(lab, "n1");
    lab_wait(lab, 301);
    find_run(lab, &run);

    ck_assert_uint_eq(run.id, job);
    ck_assert_uint_eq(run.state, JOB_NODE_FAIL);
    ck_assert_uint_eq(run.nodes_n, 2);
    ck_assert_uint_eq(run.restarts, 0);
    ck_assert_int_gt(run.end_time, run.start_time);
    lab_free(lab);
}
END_TEST

START_TEST(a_job_with_no_kill_goes_on_without_the_node)
{
    struct lab *lab = lab_new("nodes=2 cpus=1");
    uint32_t job = lab_submit(lab, "nodes=2 no_kill");

    lab_lose(lab, "n2");
    lab_wait(lab, 301);
    ck_assert_str_eq(lab_state(lab, job), "RUNNING");

    lab_exit(lab, job, STEP_BATCH, 0);
    ck_assert_str_eq(lab_state(lab, job), "COMPLETED");
    lab_free(lab);
}
END_TEST

START_TEST(an_order_that_never_arrived_is_sent_again_with_its_number)
{
    struct lab *lab = lab_new("nodes=1");

    lab_node(lab, "n1")->deaf = true;
    lab_submit(lab, "");
    lab_lose(lab, "n1");
    lab_node(lab, "n1")->deaf = false;
    lab_quiet(lab);
    lab_register(lab, "n1");

    ck_assert_str_eq(strbuf_text(&lab->orders), "n1: launch 1.batch #1\n");
    ck_assert_uint_eq(job_find_step(lab_job(lab, 1), STEP_BATCH)->rec.state, STEP_RUNNING);
    lab_free(lab);
}
END_TEST

START_TEST(a_running_step_is_left_alone_when_its_node_comes_back)
{
    struct lab *lab = lab_new("nodes=1");
    uint32_t job = lab_submit(lab, "");

    lab_lose(lab, "n1");
    lab_quiet(lab);
    lab_register(lab, "n1");

    ck_assert_str_eq(strbuf_text(&lab->orders), "");
    ck_assert_str_eq(lab_state(lab, job), "RUNNING");
    lab_free(lab);
}
END_TEST

START_TEST(a_result_that_waited_on_the_node_is_taken_when_it_comes_back)
{
    struct lab *lab = lab_new("nodes=1");
    uint32_t job = lab_submit(lab, "");

    lab_lose(lab, "n1");
    lab_exit(lab, job, STEP_BATCH, 0);
    ck_assert_str_eq(lab_state(lab, job), "RUNNING");
    lab_register(lab, "n1");

    ck_assert_str_eq(lab_state(lab, job), "COMPLETED");
    ck_assert_uint_eq(lab_node(lab, "n1")->held_n, 0);
    lab_free(lab);
}
END_TEST

START_TEST(a_reboot_loses_the_jobs_and_nothing_is_launched_again)
{
    struct lab *lab = lab_new("nodes=1 return=2");
    uint32_t job = lab_submit(lab, "");

    lab_lose(lab, "n1");
    lab_reboot(lab, "n1");

    ck_assert_str_eq(lab_state(lab, job), "NODE_FAIL");
    ck_assert_str_eq(lab_node_state(lab, "n1"), "IDLE");
    ck_assert_uint_eq(lab->launched_n, 1);
    lab_free(lab);
}
END_TEST

START_TEST(an_unexpected_reboot_sets_a_node_down_unless_the_rule_is_2)
{
    struct lab *lab = lab_new("nodes=1 return=1");

    lab_lose(lab, "n1");
    lab_reboot(lab, "n1");

    ck_assert_str_eq(lab_node_state(lab, "n1"), "DOWN");
    ck_assert_str_eq(model_find_node(control_model(lab->control), "n1")->rec.reason,
                     "Node unexpectedly rebooted");
    lab_free(lab);
}
END_TEST

START_TEST(a_node_that_holds_what_nobody_knows_is_told_to_end_and_forget_it)
{
    struct lab *lab = lab_new("nodes=1");
    struct lab_held *held = ARRAY_PUSH(lab->nodes[0].held, lab->nodes[0].held_n);

    step_report_init(&held->report);
    held->report.job_id = 77;
    held->report.launch_number = 1;
    held->report.state = HELD_RUNNING;
    held->tasks_n = 0;
    lab_quiet(lab);
    lab_register(lab, "n1");

    ck_assert_str_eq(strbuf_text(&lab->orders), "n1: end 77\nn1: end 77\nn1: forget 77.0\n");
    ck_assert_uint_eq(lab->nodes[0].held_n, 0);
    lab_free(lab);
}
END_TEST

/* What it says it holds: ids of a job that no controller can have given, and of a round far ahead.
 */
static const struct {
    uint32_t job_id, launch_number;
} invented[] = { { UINT32_MAX, 1 }, { 0, 1 }, { 1, UINT32_MAX } };

START_TEST(ids_go_on_behind_none_that_a_node_makes_up)
{
    struct lab *lab = lab_new("nodes=1");
    struct lab_held *held = ARRAY_PUSH(lab->nodes[0].held, lab->nodes[0].held_n);

    step_report_init(&held->report);
    held->report.job_id = invented[_i].job_id;
    held->report.launch_number = invented[_i].launch_number;
    held->report.state = HELD_RUNNING;
    held->tasks_n = 0;
    lab_register(lab, "n1");

    ck_assert_uint_eq(lab_submit(lab, ""), 1);
    lab_free(lab);
}
END_TEST

/* Also of a job that waits again, or runs elsewhere. */
START_TEST(a_node_that_was_lost_runs_the_epilog_when_it_returns)
{
    static const char *const labs[] = { "nodes=1 hooks=3 return=2",
                                        "nodes=2 hooks=3 return=2 requeue" };
    struct lab *lab = lab_new(labs[_i]);

    lab_submit(lab, "");
    lab_lose(lab, "n1");
    lab_wait(lab, 301);
    lab_quiet(lab);
    lab_register(lab, "n1");
    ck_assert_str_eq(strbuf_text(&lab->orders),
                     "n1: epilog 1\nn1: end 1\nn1: end 1\nn1: forget 1.batch\n");
    lab_free(lab);
}
END_TEST

START_TEST(a_node_that_returns_hears_nothing_of_jobs_that_are_over)
{
    struct lab *lab = lab_new("nodes=1 hooks=3");
    uint32_t job = lab_submit(lab, "");

    lab_exit(lab, job, STEP_BATCH, 0);
    ck_assert_str_eq(lab_state(lab, job), "COMPLETED");
    lab_quiet(lab);
    lab_register(lab, "n1");

    ck_assert_str_eq(strbuf_text(&lab->orders), "");
    lab_free(lab);
}
END_TEST

START_TEST(a_draining_node_finishes_its_jobs_and_takes_none)
{
    struct lab *lab = lab_new("nodes=1 cpus=2");
    uint32_t runs = lab_submit(lab, ""), waits;

    ck_assert_int_eq(lab_update(lab, 0, "n1", NODE_UPDATE_DRAIN, "fans"), 0);
    ck_assert_str_eq(lab_node_state(lab, "n1"), "MIXED+DRAIN");
    waits = lab_submit(lab, "");
    ck_assert_str_eq(lab_reason(lab, waits), "ReqNodeNotAvail");
    ck_assert_str_eq(lab_reason_text(lab, waits), "ReqNodeNotAvail, UnavailableNodes:n1");
    lab_exit(lab, runs, STEP_BATCH, 0);
    ck_assert_str_eq(lab_node_state(lab, "n1"), "IDLE+DRAIN");

    lab_update(lab, 0, "n1", NODE_UPDATE_RESUME, NULL);
    ck_assert_str_eq(lab_state(lab, waits), "RUNNING");
    lab_free(lab);
}
END_TEST

START_TEST(a_node_set_down_loses_its_jobs_at_once)
{
    struct lab *lab = lab_new("nodes=1");
    uint32_t job = lab_submit(lab, "");

    lab_update(lab, 0, "n1", NODE_UPDATE_DOWN, "smoke");

    ck_assert_str_eq(lab_state(lab, job), "NODE_FAIL");
    ck_assert_str_eq(lab_node_state(lab, "n1"), "DOWN");
    lab_free(lab);
}
END_TEST

static const struct {
    uint32_t uid;
    const char *names;
    uint32_t state;
    const char *reason;
    int code;
} updates[] = {
    { LAB_USER, "n1", NODE_UPDATE_DRAIN, "x", E_USER_ID },
    { 0, "n9", NODE_UPDATE_DRAIN, "x", E_NODE_NAME },
    { 0, "n1", NODE_UPDATE_RESUME, NULL, E_NODE_STATE },
    { 0, "n1", NODE_UPDATE_DRAIN, NULL, EINVAL },
    { 0, "n1", NODE_UPDATE_FAIL, NULL, EINVAL },
    { 0, "n1", NODE_UPDATE_CANCEL_REBOOT, NULL, E_NODE_STATE },
    { 0, "n[1", NODE_UPDATE_DRAIN, "x", E_SYNTAX },
};

START_TEST(an_update_that_makes_no_sense_is_refused_and_changes_nothing)
{
    struct lab *lab = lab_new("nodes=2");

    ck_assert_int_lt(
        lab_update(lab, updates[_i].uid, updates[_i].names, updates[_i].state, updates[_i].reason),
        0);

    if (updates[_i].code != E_SYNTAX)
        ck_assert_int_eq(lab->rc, -updates[_i].code);
    ck_assert_str_eq(lab_node_state(lab, "n1"), "IDLE");
    lab_free(lab);
}
END_TEST

/* What a Slurm 22.05 made of them. */
static const struct {
    uint32_t first, second;
    const char *state, *reason; /* after both; NULL: none */
} pairs[] = {
    { NODE_UPDATE_DRAIN, NODE_UPDATE_UNDRAIN, "IDLE", NULL },
    { NODE_UPDATE_DRAIN, NODE_UPDATE_RESUME, "IDLE", NULL },
    { NODE_UPDATE_DRAIN, NODE_UPDATE_IDLE, "IDLE", NULL },
    { NODE_UPDATE_DRAIN, NODE_UPDATE_FAIL, "IDLE+FAIL", "b" },
    { NODE_UPDATE_DRAIN, NODE_UPDATE_DOWN, "DOWN+DRAIN", "b" },
    { NODE_UPDATE_DOWN, NODE_UPDATE_UNDRAIN, "DOWN", "b" },
    { NODE_UPDATE_DOWN, NODE_UPDATE_DRAIN, "DOWN+DRAIN", "b" },
    { NODE_UPDATE_DOWN, NODE_UPDATE_FAIL, "DOWN+FAIL", "b" },
    { NODE_UPDATE_DOWN, NODE_UPDATE_FUTURE, "FUTURE", "b" },
    { NODE_UPDATE_FAIL, NODE_UPDATE_UNDRAIN, "IDLE", NULL },
    { NODE_UPDATE_FAIL, NODE_UPDATE_DRAIN, "IDLE+DRAIN", "b" },
    { NODE_UPDATE_FUTURE, NODE_UPDATE_DOWN, "DOWN", "b" },
    { NODE_UPDATE_FUTURE, NODE_UPDATE_FAIL, "FUTURE+FAIL", "b" },
    { NODE_UPDATE_FUTURE, NODE_UPDATE_RESUME, "IDLE", NULL },
    { NODE_UPDATE_NO_RESPOND, NODE_UPDATE_DOWN, "DOWN+NOT_RESPONDING", "b" },
    { NODE_UPDATE_UNDRAIN, NODE_UPDATE_NONE, "IDLE", NULL }, /* a reason for nothing */
};

START_TEST(a_state_that_is_set_after_another_is_as_in_slurm)
{
    struct lab *lab = lab_new("nodes=1");

    ck_assert_int_eq(lab_update(lab, 0, "n1", pairs[_i].first, "a"), 0);
    ck_assert_int_eq(lab_update(lab, 0, "n1", pairs[_i].second, "b"), 0);

    ck_assert_str_eq(lab_node_state(lab, "n1"), pairs[_i].state);
    ck_assert_pstr_eq(model_find_node(control_model(lab->control), "n1")->rec.reason,
                      pairs[_i].reason);
    lab_free(lab);
}
END_TEST

START_TEST(a_future_node_takes_no_work_until_it_is_resumed)
{
    struct lab *lab = lab_new("nodes=1");
    uint32_t runs = lab_submit(lab, ""), waits;

    ck_assert_int_eq(lab_update(lab, 0, "n1", NODE_UPDATE_FUTURE, NULL), -E_NODE_STATE);
    lab_exit(lab, runs, STEP_BATCH, 0);
    ck_assert_int_eq(lab_update(lab, 0, "n1", NODE_UPDATE_FUTURE, NULL), 0);
    ck_assert_int_eq(lab_update(lab, 0, "n1", NODE_UPDATE_IDLE, NULL), -E_NODE_STATE);
    lab_restart(lab, "nodes=1");
    waits = lab_submit(lab, "");
    lab_wait(lab, 400);
    ck_assert_str_eq(lab_node_state(lab, "n1"), "FUTURE");
    ck_assert_str_eq(lab_state(lab, waits), "PENDING");

    ck_assert_int_eq(lab_update(lab, 0, "n1", NODE_UPDATE_RESUME, NULL), 0);
    ck_assert_str_eq(lab_state(lab, waits), "RUNNING");
    lab_free(lab);
}
END_TEST

START_TEST(a_node_that_is_future_in_slurm_conf_is_until_it_says_else_or_an_operator_does)
{
    struct lab *lab = lab_new("nodes=2 future=1");

    lab_wait(lab, 400);
    ck_assert_str_eq(lab_node_state(lab, "n1"), "FUTURE");
    lab_register(lab, "n1");
    ck_assert_str_eq(lab_node_state(lab, "n1"), "FUTURE");
    ck_assert_int_eq(lab_update(lab, 0, "n1", NODE_UPDATE_RESUME, NULL), 0);
    lab_restart(lab, "nodes=2 future=1");
    ck_assert_str_eq(lab_node_state(lab, "n1"), "IDLE");
    ck_assert_str_eq(lab_node_state(lab, "n2"), "FUTURE");

    lab_restart(lab, "nodes=2");
    ck_assert_str_eq(lab_node_state(lab, "n2"), "IDLE");
    lab_free(lab);
}
END_TEST

START_TEST(jobs_of_a_node_that_became_future_fail_when_it_is_dead)
{
    struct lab *lab = lab_new("nodes=1");
    uint32_t job = lab_submit(lab, "");

    lab_restart(lab, "nodes=1 future=1");
    lab_register(lab, "n1");
    lab_lose(lab, "n1");
    lab_wait(lab, 299);
    ck_assert_str_eq(lab_state(lab, job), "RUNNING");

    lab_wait(lab, 1);
    ck_assert_str_eq(lab_state(lab, job), "NODE_FAIL");
    ck_assert_str_eq(lab_node_state(lab, "n1"), "FUTURE+NOT_RESPONDING");
    lab_free(lab);
}
END_TEST

START_TEST(a_node_that_is_said_not_to_answer_is_given_nothing_until_it_does)
{
    struct lab *lab = lab_new("nodes=1 cpus=2");
    uint32_t runs = lab_submit(lab, ""), waits;

    ck_assert_int_eq(lab_update(lab, 0, "n1", NODE_UPDATE_NO_RESPOND, NULL), 0);
    ck_assert_str_eq(lab_node_state(lab, "n1"), "MIXED+NOT_RESPONDING");
    ck_assert_int_le(control_next_ms(lab->control, lab->now), lab->now.cluster_ms);
    waits = lab_submit(lab, "");
    ck_assert_str_eq(lab_state(lab, runs), "RUNNING");
    ck_assert_str_eq(lab_state(lab, waits), "PENDING");

    lab_register(lab, "n1");
    ck_assert_str_eq(lab_state(lab, waits), "RUNNING");
    lab_free(lab);
}
END_TEST

static int resume_after(struct lab *lab, uint32_t state, uint32_t after_s)
{
    struct caller caller = lab_caller(0);
    AUTO(node_update) struct node_update request;
    int rc;

    node_update_init(&request);
    request.names = xstrdup("n1");
    request.state = state;
    request.reason = xstrdup("a test");
    request.resume_after_s = after_s;
    rc = control_node_update(lab_act(lab, &caller), &request, &lab->err);
    lab_settle(lab);
    return rc;
}

START_TEST(a_node_that_is_to_be_resumed_is_when_its_time_has_come)
{
    struct lab *lab = lab_new("nodes=1");
    const struct node_record *rec;

    ck_assert_int_eq(resume_after(lab, _i ? NODE_UPDATE_DOWN : NODE_UPDATE_DRAIN, 60), 0);
    lab_wait(lab, 30);
    lab_restart(lab, "nodes=1");
    lab_wait(lab, 29);
    rec = &model_find_node(control_model(lab->control), "n1")->rec;
    ck_assert_str_eq(lab_node_state(lab, "n1"), _i ? "DOWN" : "IDLE+DRAIN");
    ck_assert_int_eq(rec->resume_time - lab->now.wall_s, 1);

    lab_wait(lab, 1);
    ck_assert_str_eq(lab_node_state(lab, "n1"), "IDLE");
    ck_assert_ptr_null(rec->reason);
    ck_assert_int_eq(rec->resume_time, 0);
    lab_free(lab);
}
END_TEST

START_TEST(a_resume_that_is_called_off_does_not_come)
{
    struct lab *lab = lab_new("nodes=1");

    ck_assert_int_eq(resume_after(lab, NODE_UPDATE_FAIL, 60), -EINVAL);
    ck_assert_int_eq(resume_after(lab, NODE_UPDATE_DRAIN, 60), 0);
    if (_i == 0)
        ck_assert_int_eq(resume_after(lab, NODE_UPDATE_NONE, COUNT_INFINITE), 0);
    else
        ck_assert_int_eq(lab_update(lab, 0, "n1", NODE_UPDATE_UNDRAIN, NULL), 0);
    lab_update(lab, 0, "n1", NODE_UPDATE_DRAIN, "another");

    lab_wait(lab, 61);
    ck_assert_str_eq(lab_node_state(lab, "n1"), "IDLE+DRAIN");
    lab_free(lab);
}
END_TEST

START_TEST(a_resume_does_not_outlive_what_it_was_for)
{
    struct lab *lab = lab_new("nodes=1 return=2");

    ck_assert_int_eq(resume_after(lab, NODE_UPDATE_DOWN, 60), 0);
    if (_i == 0)
        lab_reboot(lab, "n1");
    else
        ck_assert_int_eq(lab_update(lab, 0, "n1", NODE_UPDATE_FUTURE, NULL), 0);
    ck_assert_str_eq(lab_node_state(lab, "n1"), _i ? "FUTURE" : "IDLE");
    lab_update(lab, 0, "n1", NODE_UPDATE_DRAIN, "another");

    lab_wait(lab, 61);
    ck_assert_str_eq(lab_node_state(lab, "n1"), _i ? "FUTURE+DRAIN" : "IDLE+DRAIN");
    lab_free(lab);
}
END_TEST

static const struct {
    const char *ids, *types;
    int rc;
    const char *id, *type; /* of n2 */
} instances[] = {
    { "i-[7-8]", "t.large", 0, "i-8", "t.large" },
    { "i-7,i-8,i-9", NULL, -E_NODE_NAME, "before", "before" },
    { "", NULL, 0, NULL, "before" },
};

START_TEST(an_operator_says_which_instances_nodes_are)
{
    struct lab *lab = lab_new("nodes=2");
    struct caller caller = lab_caller(0);
    struct node *node = model_find_node((struct model *)control_model(lab->control), "n2");
    AUTO(node_update) struct node_update request;

    xstrset(&node->rec.instance_id, "before");
    xstrset(&node->rec.instance_type, "before");
    node_update_init(&request);
    request.names = xstrdup("n[1-2]");
    request.instance_ids = instances[_i].ids ? xstrdup(instances[_i].ids) : NULL;
    request.instance_types = instances[_i].types ? xstrdup(instances[_i].types) : NULL;

    ck_assert_int_eq(control_node_update(lab_act(lab, &caller), &request, NULL), instances[_i].rc);

    lab_settle(lab);
    ck_assert_pstr_eq(node->rec.instance_id, instances[_i].id);
    ck_assert_pstr_eq(node->rec.instance_type, instances[_i].type);
    lab_free(lab);
}
END_TEST

START_TEST(an_unknown_node_may_not_register)
{
    struct lab *lab = lab_new("nodes=1");
    struct node_register reg;
    struct err err = { 0 };

    node_register_init(&reg);
    reg.name = xstrdup("mars");
    reg.boot_id = xstrdup("b");
    reg.hardware = xcalloc(1, sizeof(*reg.hardware));
    node_hardware_init(reg.hardware);

    ck_assert_int_eq(control_node_register(lab_act(lab, NULL), "10.0.0.9", &reg, &err),
                     -E_NODE_NAME);
    ck_assert_str_eq(err.text, "Invalid node name specified: mars is not in slurm.conf");
    node_register_clear(&reg);
    lab_free(lab);
}
END_TEST

CHECK_MAIN(
    nodes, CASE(a_node_that_never_came_is_unknown_and_then_down),
    LOOP_CASE(return_to_service_decides_whether_a_lost_node_comes_back, ARRAY_N(returns)),
    LOOP_CASE(each_rule_of_return_to_service_holds_for_each_way_down_and_back, ARRAY_N(rules)),
    CASE(a_lost_node_that_has_rebooted_says_so_and_stays_down), CASE(jobs_of_a_dead_node_fail),
    CASE(a_job_that_may_be_requeued_waits_for_other_nodes_and_runs_again),
    CASE(what_a_requeued_job_was_is_kept_as_it_ended),
    CASE(a_job_with_no_kill_goes_on_without_the_node),
    CASE(an_order_that_never_arrived_is_sent_again_with_its_number),
    CASE(a_running_step_is_left_alone_when_its_node_comes_back),
    CASE(a_result_that_waited_on_the_node_is_taken_when_it_comes_back),
    CASE(a_reboot_loses_the_jobs_and_nothing_is_launched_again),
    CASE(an_unexpected_reboot_sets_a_node_down_unless_the_rule_is_2),
    CASE(a_node_that_holds_what_nobody_knows_is_told_to_end_and_forget_it),
    LOOP_CASE(ids_go_on_behind_none_that_a_node_makes_up, ARRAY_N(invented)),
    LOOP_CASE(a_node_that_was_lost_runs_the_epilog_when_it_returns, 2),
    CASE(a_node_that_returns_hears_nothing_of_jobs_that_are_over),
    CASE(a_draining_node_finishes_its_jobs_and_takes_none),
    CASE(a_node_set_down_loses_its_jobs_at_once),
    LOOP_CASE(an_update_that_makes_no_sense_is_refused_and_changes_nothing, ARRAY_N(updates)),
    LOOP_CASE(a_state_that_is_set_after_another_is_as_in_slurm, ARRAY_N(pairs)),
    CASE(a_future_node_takes_no_work_until_it_is_resumed),
    CASE(a_node_that_is_future_in_slurm_conf_is_until_it_says_else_or_an_operator_does),
    CASE(jobs_of_a_node_that_became_future_fail_when_it_is_dead),
    CASE(a_node_that_is_said_not_to_answer_is_given_nothing_until_it_does),
    LOOP_CASE(a_node_that_is_to_be_resumed_is_when_its_time_has_come, 2),
    LOOP_CASE(a_resume_that_is_called_off_does_not_come, 2),
    LOOP_CASE(a_resume_does_not_outlive_what_it_was_for, 2),
    LOOP_CASE(an_operator_says_which_instances_nodes_are, ARRAY_N(instances)),
    CASE(an_unknown_node_may_not_register))
