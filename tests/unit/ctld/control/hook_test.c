/* Prolog and Epilog of jobs, as far as the controller has to do with them. */
#include "unit/check_main.h"

#include <errno.h>
#include <string.h>

#include "unit/ctld/control/lab.h"
#include "ctld/control/control.h"
#include "ctld/control/job/hook.h"

#define HOOKS "nodes=2 cpus=2 requeue=1 hooks=3"

static const char *orders(struct lab *lab)
{
    return strbuf_text(&lab->orders);
}

static struct lab_node *first_node(struct lab *lab)
{
    return lab_node(lab, "n1");
}

static void report(struct lab *lab, const char *node, uint32_t job, uint32_t kind, int32_t code)
{
    const struct hook_report it = { .job_id = job,
                                    .launch_number = lab_job(lab, job)->rec.launch_number,
                                    .kind = kind,
                                    .code = code,
                                    .text = code ? (char *)"it went wrong" : NULL,
                                    .said = code ? (char *)"no\x1b[2J scratch" : NULL };

    control_hook_report(lab_act(lab, NULL), node, &it);
    lab_settle(lab);
}

static uint32_t count(const char *text, const char *word)
{
    uint32_t n = 0;

    for (; (text = strstr(text, word)); text++)
        n++;
    return n;
}

START_TEST(the_prolog_goes_before_the_first_launch_on_a_node_and_the_epilog_before_the_end)
{
    struct lab *lab = lab_new(HOOKS);
    const uint32_t id = lab_submit(lab, "nodes=2");
    const char *prolog = strstr(orders(lab), "n1: prolog 1");

    ck_assert_ptr_nonnull(prolog);
    ck_assert_ptr_nonnull(strstr(prolog, "n1: launch 1.batch"));
    ck_assert_ptr_null(strstr(orders(lab), "n2: prolog"));
    lab_step(lab, id, "nodes=2");
    ck_assert_ptr_nonnull(strstr(orders(lab), "n2: prolog 1"));
    ck_assert_uint_eq(count(orders(lab), "n1: prolog"), 1);
    lab_exit(lab, id, 0, 0);
    lab_exit(lab, id, STEP_BATCH, 0);
    for (int i = 1; i <= 2; i++) {
        AUTO_FREE char *epilog = xasprintf("n%d: epilog 1\nn%d: end 1", i, i);

        ck_assert_ptr_nonnull(strstr(orders(lab), epilog));
    }
    ck_assert_ptr_nonnull(strstr(orders(lab), "n1: forget hooks 1"));
    lab_free(lab);
}
END_TEST

START_TEST(with_alloc_the_prolog_runs_on_all_nodes_at_once)
{
    struct lab *lab = lab_new(HOOKS " prolog_alloc=1");

    lab_allocate(lab, "nodes=2", NULL);
    ck_assert_ptr_nonnull(strstr(orders(lab), "n1: prolog 1"));
    ck_assert_ptr_nonnull(strstr(orders(lab), "n2: prolog 1"));
    lab_free(lab);
}
END_TEST

START_TEST(who_waits_for_all_prologs_hears_that_one_failed)
{
    struct lab *lab = lab_new(HOOKS " prolog_alloc=1");
    uint32_t id;

    first_node(lab)->hook_code = EIO;
    id = lab_allocate(lab, "on=n1", NULL);
    lab_wait(lab, 1);
    ck_assert_str_eq(lab_state(lab, id), "CANCELLED");
    ck_assert_ptr_nonnull(strstr(strbuf_text(&lab->said), "warned"));
    lab_free(lab);
}
END_TEST

START_TEST(a_program_that_root_refuses_is_named_by_the_nodes_reason)
{
    struct lab *lab = lab_new(HOOKS);

    first_node(lab)->hook_code = EPERM;
    lab_submit(lab, "on=n1");
    lab_wait(lab, 1);
    ck_assert_str_eq(model_find_node(control_model(lab->control), "n1")->rec.reason,
                     "Prolog error: it went wrong");
    lab_free(lab);
}
END_TEST

START_TEST(nodes_without_such_programs_are_ordered_none)
{
    struct lab *lab = lab_new("nodes=1 cpus=2");
    const uint32_t id = lab_submit(lab, "");

    lab_exit(lab, id, STEP_BATCH, 0);
    ck_assert_ptr_null(strstr(orders(lab), "prolog"));
    ck_assert_ptr_null(strstr(orders(lab), "epilog"));
    ck_assert_ptr_null(strstr(orders(lab), "hooks"));
    lab_free(lab);
}
END_TEST

START_TEST(a_failed_prolog_drains_the_node_and_a_batch_job_waits_held)
{
    struct lab *lab = lab_new(HOOKS);
    uint32_t id;

    first_node(lab)->hook_code = EIO;
    id = lab_submit(lab, "on=n1");
    lab_wait(lab, 1);
    ck_assert_str_eq(lab_state(lab, id), "PENDING");
    ck_assert_uint_eq(lab_job(lab, id)->rec.priority, 0);
    ck_assert_uint_eq(lab_job(lab, id)->rec.restarts, 1);
    ck_assert_str_eq(lab_job(lab, id)->rec.reason_text, "launch failed requeued held");
    ck_assert(model_find_node(control_model(lab->control), "n1")->rec.drain);
    ck_assert_str_eq(model_find_node(control_model(lab->control), "n1")->rec.reason,
                     "Prolog error");

    first_node(lab)->hook_code = 0;
    lab_update(lab, 0, "n1", NODE_UPDATE_RESUME, NULL);
    lab_hold(lab, LAB_USER, id, HOLD_RELEASE);
    ck_assert_str_eq(lab_state(lab, id), "RUNNING");
    ck_assert_uint_eq(count(orders(lab), "n1: prolog"), 2);
    lab_free(lab);
}
END_TEST

START_TEST(with_nohold_a_job_whose_prolog_failed_waits_for_another_node)
{
    struct lab *lab = lab_new(HOOKS " sched=nohold_on_prolog_fail");
    uint32_t id;

    first_node(lab)->hook_code = EIO;
    id = lab_submit(lab, "on=n1");
    lab_wait(lab, 1);
    ck_assert_str_eq(lab_state(lab, id), "PENDING");
    ck_assert_uint_gt(lab_job(lab, id)->rec.priority, 0);
    lab_free(lab);
}
END_TEST

START_TEST(other_jobs_end_with_a_failed_prolog)
{
    struct lab *lab = lab_new(HOOKS);
    uint32_t id;

    first_node(lab)->hook_code = EIO;
    id = lab_allocate(lab, "on=n1", "");
    ck_assert_str_eq(lab_state(lab, id), "CANCELLED");
    lab_free(lab);
}
END_TEST

START_TEST(a_failed_epilog_drains_the_node_and_nothing_else)
{
    struct lab *lab = lab_new(HOOKS);
    const uint32_t id = lab_submit(lab, "on=n1");

    first_node(lab)->hook_code = EIO;
    lab_exit(lab, id, STEP_BATCH, 0);
    ck_assert_str_eq(lab_state(lab, id), "COMPLETED");
    ck_assert_str_eq(model_find_node(control_model(lab->control), "n1")->rec.reason,
                     "Epilog error");
    lab_free(lab);
}
END_TEST

START_TEST(what_a_failed_program_said_is_kept_while_the_node_is_drained_for_it)
{
    struct lab *lab = lab_new(HOOKS);
    const struct node *node = model_find_node(control_model(lab->control), "n1");
    uint32_t id;

    first_node(lab)->hook_code = -1;
    id = lab_submit(lab, "on=n1");
    report(lab, "n1", id, HOOK_PROLOG, EIO);

    ck_assert_str_eq(node->rec.reason, "Prolog error");
    ck_assert_str_eq(node->rec.reason_detail, "it went wrong: no\\x1b[2J scratch");
    lab_update(lab, 0, "n1", NODE_UPDATE_RESUME, NULL);
    ck_assert_ptr_null(node->rec.reason_detail);
    lab_free(lab);
}
END_TEST

START_TEST(a_prolog_that_was_ordered_is_ordered_again_until_its_end_is_known)
{
    struct lab *lab = lab_new(HOOKS);
    uint32_t id;

    first_node(lab)->hook_code = -1;
    id = lab_submit(lab, "on=n1");
    ck_assert_uint_eq(count(orders(lab), "n1: prolog"), 1);
    lab_restart(lab, HOOKS);
    lab_register(lab, "n1");
    ck_assert_uint_ge(count(orders(lab), "n1: prolog"), 2);
    report(lab, "n1", id, HOOK_PROLOG, 0);
    strbuf_clear(&lab->orders);
    lab_register(lab, "n1");
    ck_assert_uint_eq(count(orders(lab), "n1: prolog"), 0);
    ck_assert_str_eq(lab_state(lab, id), "RUNNING");
    lab_free(lab);
}
END_TEST

START_TEST(processes_that_do_not_die_drain_the_node)
{
    struct lab *lab = lab_new(HOOKS);
    const uint32_t id = lab_submit(lab, "on=n1");

    report(lab, "n1", id, HOOK_UNKILLABLE, 0);
    ck_assert_str_eq(model_find_node(control_model(lab->control), "n1")->rec.reason,
                     "Kill task failed");
    ck_assert_str_eq(lab_state(lab, id), "RUNNING");
    lab_free(lab);
}
END_TEST

CHECK_MAIN(hook,
           CASE(the_prolog_goes_before_the_first_launch_on_a_node_and_the_epilog_before_the_end),
           CASE(with_alloc_the_prolog_runs_on_all_nodes_at_once),
           CASE(who_waits_for_all_prologs_hears_that_one_failed),
           CASE(nodes_without_such_programs_are_ordered_none),
           CASE(a_program_that_root_refuses_is_named_by_the_nodes_reason),
           CASE(a_failed_prolog_drains_the_node_and_a_batch_job_waits_held),
           CASE(with_nohold_a_job_whose_prolog_failed_waits_for_another_node),
           CASE(other_jobs_end_with_a_failed_prolog),
           CASE(a_failed_epilog_drains_the_node_and_nothing_else),
           CASE(what_a_failed_program_said_is_kept_while_the_node_is_drained_for_it),
           CASE(a_prolog_that_was_ordered_is_ordered_again_until_its_end_is_known),
           CASE(processes_that_do_not_die_drain_the_node))
