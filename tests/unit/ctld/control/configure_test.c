/* What runs between a job's start and its work, and after it. */
#include "unit/check_main.h"

#include <errno.h>
#include <string.h>

#include "unit/ctld/control/lab.h"
#include "ctld/control/job/configure.h"
#include "ctld/control/job/hook.h"
#include "ctld/control/act/turn.h"

static bool ordered(struct lab *lab, const char *what)
{
    return strstr(strbuf_text(&lab->orders), what);
}

static const char *shown(struct lab *lab, uint32_t id)
{
    const struct job_record *rec = &lab_job(lab, id)->rec;

    return job_state_name(rec->state, rec->flags);
}

static void program_over(struct lab *lab, uint32_t id, enum job_program kind, int32_t code)
{
    control_program_over(lab_act(lab, NULL), id, lab_job(lab, id)->rec.launch_number, kind, code);
    lab_settle(lab);
}

static void prolog_over(struct lab *lab, const char *node, uint32_t id)
{
    const struct hook_report report = { .job_id = id,
                                        .launch_number = lab_job(lab, id)->rec.launch_number,
                                        .kind = HOOK_PROLOG };

    control_hook_report(lab_act(lab, NULL), node, &report);
    lab_settle(lab);
}

/* Two nodes whose Prologs take their time. */
static struct lab *slow_lab(const char *more)
{
    AUTO_FREE char *text = xasprintf("nodes=2 cpus=2 hooks=3 prolog_alloc=1 %s", more);
    struct lab *lab = lab_new(text);

    lab_node(lab, "n1")->hook_code = -1;
    lab_node(lab, "n2")->hook_code = -1;
    return lab;
}

START_TEST(a_job_with_nothing_to_wait_for_is_never_configuring)
{
    struct lab *lab = lab_new("nodes=1 cpus=2");
    const uint32_t id = lab_submit(lab, "");

    ck_assert_str_eq(shown(lab, id), "RUNNING");
    lab_free(lab);
}
END_TEST

START_TEST(a_client_hears_of_its_nodes_and_again_when_their_prologs_are_over)
{
    struct lab *lab = slow_lab("");
    const uint32_t id = lab_allocate(lab, "nodes=2", NULL);

    ck_assert_str_eq(shown(lab, id), "CONFIGURING");
    ck_assert_ptr_nonnull(strstr(strbuf_text(&lab->said), "job 1 granted"));
    strbuf_clear(&lab->said);
    prolog_over(lab, "n1", id);
    ck_assert_str_eq(shown(lab, id), "CONFIGURING");
    ck_assert_ptr_null(strstr(strbuf_text(&lab->said), "granted"));

    prolog_over(lab, "n2", id);
    ck_assert_str_eq(shown(lab, id), "RUNNING");
    ck_assert_ptr_nonnull(strstr(strbuf_text(&lab->said), "job 1 granted"));
    lab_free(lab);
}
END_TEST

START_TEST(the_step_of_an_srun_waits_for_the_prologs_of_all_nodes)
{
    struct lab *lab = slow_lab("");
    const uint32_t id = lab_allocate(lab, "nodes=2", "nodes=2");

    ck_assert(!ordered(lab, "launch"));
    prolog_over(lab, "n1", id);
    ck_assert(!ordered(lab, "launch"));
    prolog_over(lab, "n2", id);
    ck_assert(ordered(lab, "n2: launch 1.0"));
    lab_free(lab);
}
END_TEST

START_TEST(the_waiting_step_of_an_srun_is_there_after_a_restart)
{
    struct lab *lab = slow_lab("");
    const uint32_t id = lab_allocate(lab, "nodes=2", "nodes=2 ntasks=2");

    lab_restart(lab, "nodes=2 cpus=2 hooks=3 prolog_alloc=1");
    ck_assert_ptr_nonnull(job_find_step(lab_job(lab, id), 0));
    prolog_over(lab, "n1", id);
    prolog_over(lab, "n2", id);
    ck_assert(ordered(lab, "n2: launch 1.0"));
    lab_free(lab);
}
END_TEST

START_TEST(with_no_hold_nobody_waits)
{
    struct lab *lab = slow_lab("no_hold=1");
    const uint32_t id = lab_allocate(lab, "nodes=2", "nodes=2");

    ck_assert_str_eq(shown(lab, id), "RUNNING");
    ck_assert(ordered(lab, "n1: launch 1.0"));
    lab_free(lab);
}
END_TEST

START_TEST(a_script_is_sent_at_once_and_with_defer_batch_after_the_last_prolog)
{
    for (int defer = 0; defer < 2; defer++) {
        struct lab *lab = slow_lab(defer ? "defer_batch=1 no_hold=1" : "");
        const uint32_t id = lab_submit(lab, "nodes=2");

        ck_assert_int_eq(ordered(lab, "launch 1.batch"), !defer);
        prolog_over(lab, "n1", id);
        ck_assert_int_eq(ordered(lab, "launch 1.batch"), !defer);
        prolog_over(lab, "n2", id);
        ck_assert(ordered(lab, "launch 1.batch"));
        lab_free(lab);
    }
}
END_TEST

START_TEST(with_contain_a_step_holds_the_job_open_on_all_nodes)
{
    struct lab *lab = lab_new("nodes=2 cpus=2 contain=1");
    const uint32_t id = lab_submit(lab, "nodes=2");
    const struct step *step = job_find_step(lab_job(lab, id), STEP_EXTERN);

    ck_assert_ptr_nonnull(step);
    ck_assert_uint_eq(step->rec.ntasks, 2);
    ck_assert(ordered(lab, "n1: launch 1.extern"));
    ck_assert(ordered(lab, "n2: launch 1.extern"));
    ck_assert_str_eq(shown(lab, id), "RUNNING");
    lab_exit(lab, id, STEP_BATCH, 0);
    ck_assert_str_eq(shown(lab, id), "COMPLETED");
    ck_assert_int_eq(lab_job(lab, id)->rec.derived_status, 0);
    ck_assert_uint_eq(step->rec.end_state, JOB_COMPLETE);
    lab_free(lab);
}
END_TEST

START_TEST(a_requeued_job_gets_that_step_anew)
{
    struct lab *lab = lab_new("nodes=1 cpus=2 contain=1 requeue=1");
    const uint32_t id = lab_submit(lab, "");

    lab_requeue(lab, LAB_USER, id, 0);
    lab_wait(lab, 200);
    ck_assert_str_eq(shown(lab, id), "RUNNING");
    ck_assert(ordered(lab, "launch 1.extern #2"));
    lab_free(lab);
}
END_TEST

START_TEST(prolog_slurmctld_goes_before_all_that_happens_on_nodes)
{
    struct lab *lab = lab_new("nodes=1 cpus=2 hooks=3 prolog_alloc=1 ctld_prolog=1");
    const uint32_t id = lab_submit(lab, "");

    ck_assert(ordered(lab, "head: prolog 1"));
    ck_assert(!ordered(lab, "n1: "));
    ck_assert_str_eq(shown(lab, id), "CONFIGURING");
    program_over(lab, id, JOB_PROGRAM_PROLOG, 0);
    ck_assert_str_eq(shown(lab, id), "RUNNING");
    ck_assert(ordered(lab, "n1: launch 1.batch"));
    lab_free(lab);
}
END_TEST

START_TEST(when_it_fails_a_batch_job_waits_again_and_others_end)
{
    struct lab *lab = lab_new("nodes=2 cpus=2 ctld_prolog=1");
    const uint32_t batch = lab_submit(lab, "on=n1"), other = lab_allocate(lab, "on=n2", NULL);

    program_over(lab, batch, JOB_PROGRAM_PROLOG, EIO);
    ck_assert_uint_eq(lab_job(lab, batch)->rec.restarts, 1);
    ck_assert(!ordered(lab, "launch"));
    program_over(lab, other, JOB_PROGRAM_PROLOG, EIO);
    ck_assert_str_eq(shown(lab, other), "FAILED");
    lab_free(lab);
}
END_TEST

START_TEST(a_job_is_completing_until_epilog_slurmctld_is_over)
{
    struct lab *lab = lab_new("nodes=1 cpus=2 ctld_epilog=1");
    const uint32_t id = lab_submit(lab, "");

    lab_exit(lab, id, STEP_BATCH, 0);
    ck_assert(ordered(lab, "head: epilog 1"));
    ck_assert_str_eq(shown(lab, id), "COMPLETING");
    program_over(lab, id, JOB_PROGRAM_EPILOG, EIO);
    ck_assert_str_eq(shown(lab, id), "COMPLETED");
    lab_free(lab);
}
END_TEST

START_TEST(the_epilog_of_a_cancelled_job_waits_for_its_prolog)
{
    struct lab *lab = lab_new("nodes=1 cpus=2 ctld_prolog=1 ctld_epilog=1");
    const uint32_t id = lab_submit(lab, "");

    lab_cancel(lab, id);
    ck_assert(!ordered(lab, "head: epilog"));
    program_over(lab, id, JOB_PROGRAM_PROLOG, 0);
    ck_assert(ordered(lab, "head: epilog 1"));
    ck_assert(!ordered(lab, "launch"));
    program_over(lab, id, JOB_PROGRAM_EPILOG, 0);
    ck_assert_str_eq(shown(lab, id), "CANCELLED");
    lab_free(lab);
}
END_TEST

START_TEST(a_restarted_controller_runs_again_what_it_did_not_see_end)
{
    struct lab *lab = lab_new("nodes=1 cpus=2 ctld_prolog=1");
    const uint32_t id = lab_submit(lab, "");

    strbuf_clear(&lab->orders);
    lab_restart(lab, "nodes=1 cpus=2 ctld_prolog=1");
    ck_assert(ordered(lab, "head: prolog 1"));
    ck_assert_str_eq(shown(lab, id), "CONFIGURING");
    program_over(lab, id, JOB_PROGRAM_PROLOG, 0);
    ck_assert(ordered(lab, "launch 1.batch"));
    lab_free(lab);
}
END_TEST

CHECK_MAIN(configure, CASE(a_job_with_nothing_to_wait_for_is_never_configuring),
           CASE(a_client_hears_of_its_nodes_and_again_when_their_prologs_are_over),
           CASE(the_step_of_an_srun_waits_for_the_prologs_of_all_nodes),
           CASE(the_waiting_step_of_an_srun_is_there_after_a_restart),
           CASE(with_no_hold_nobody_waits),
           CASE(a_script_is_sent_at_once_and_with_defer_batch_after_the_last_prolog),
           CASE(with_contain_a_step_holds_the_job_open_on_all_nodes),
           CASE(a_requeued_job_gets_that_step_anew),
           CASE(prolog_slurmctld_goes_before_all_that_happens_on_nodes),
           CASE(when_it_fails_a_batch_job_waits_again_and_others_end),
           CASE(a_job_is_completing_until_epilog_slurmctld_is_over),
           CASE(the_epilog_of_a_cancelled_job_waits_for_its_prolog),
           CASE(a_restarted_controller_runs_again_what_it_did_not_see_end))
