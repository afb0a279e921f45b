/* Jobs that wait for others: what releases them, what dooms them, and what is kept of it. */
#include "unit/check_main.h"

#include <string.h>

#include "common/msg/alter.h"
#include "ctld/control/act/act.h"
#include "ctld/control/control.h"
#include "ctld/control/act/state.h"
#include "ctld/control/job/update.h"
#include "ctld/model/model.h"
#include "unit/ctld/control/lab.h"

#define EXIT(code) ((code) << 8)

/* "RUNNING:None:" or "PENDING:Dependency:afterok:1(unfulfilled)". */
static const char *look(struct lab *lab, uint32_t id)
{
    static char text[2000];
    AUTO(strbuf) struct strbuf out = { 0 };

    strbuf_addf(&out, "%s:%s:", lab_state(lab, id), lab_reason(lab, id));
    job_dependencies_format(&lab_job(lab, id)->rec, &out);
    snprintf(text, sizeof(text), "%s", strbuf_text(&out));
    return text;
}

/* The same of the record that stands for a task now. */
static const char *look_task(struct lab *lab, uint32_t array, uint32_t task)
{
    const struct job *job = model_find_task(control_model(lab->control), array, task);

    ck_assert_msg(job != NULL, "no task %u_%u", array, task);
    return look(lab, job->rec.id);
}

/* scontrol update: the field's new value is in `spec`. */
static int update(struct lab *lab, uint32_t id, struct job_spec *spec, uint32_t tag)
{
    const struct caller caller = lab_caller(LAB_USER);
    struct job_update request = { .job_id = id, .spec = spec, .set = &tag, .set_n = 1 };
    AUTO(job_altered) struct job_altered altered;

    request.array_limit = COUNT_UNSET;
    job_altered_init(&altered);
    ck_assert_int_eq(control_update(lab_act(lab, &caller), &request, &altered, NULL), 0);
    lab_settle(lab);
    return altered.refused_n ? -(int)altered.refused[0].code : 0;
}

static int change(struct lab *lab, uint32_t id, const char *text)
{
    AUTO(job_spec) struct job_spec spec;

    job_spec_init(&spec);
    spec.dependency = xstrdup(text);
    return update(lab, id, &spec, SPEC_TAG_dependency);
}

/* ---- one job after another ---- */

static void fate_none(struct lab *lab)
{
    (void)lab;
}

static void fate_good(struct lab *lab)
{
    lab_exit(lab, 1, STEP_BATCH, 0);
}

static void fate_bad(struct lab *lab)
{
    lab_exit(lab, 1, STEP_BATCH, EXIT(1));
}

static void fate_cancelled(struct lab *lab)
{
    lab_cancel(lab, 1);
}

#define FREE     "RUNNING:None:"
#define OPEN(d)  "PENDING:Dependency:" d ":1(unfulfilled)"
#define NEVER(d) "PENDING:DependencyNeverSatisfied:" d ":1(failed)"

static const struct {
    const char *first, *after;
    void (*fate)(struct lab *);
    const char *seen;
} rows[] = {
    { "", "after", fate_none, FREE },
    { "", "afterany", fate_none, OPEN("afterany") },
    { "", "afterany", fate_good, FREE },
    { "", "afterany", fate_bad, FREE },
    { "", "afterok", fate_none, OPEN("afterok") },
    { "", "afterok", fate_good, FREE },
    { "", "afterok", fate_bad, NEVER("afterok") },
    { "", "afterok", fate_cancelled, NEVER("afterok") },
    { "", "afternotok", fate_good, NEVER("afternotok") },
    { "", "afternotok", fate_bad, FREE },
    { "", "aftercorr", fate_good, FREE },
    { "", "aftercorr", fate_bad, NEVER("aftercorr") },
    { "", "afterburstbuffer", fate_none, OPEN("afterburstbuffer") },
    { "", "afterburstbuffer", fate_bad, FREE },
    { "hold", "after", fate_none, OPEN("after") },
    { "hold", "after", fate_cancelled, FREE },
    { "hold", "afterok", fate_cancelled, NEVER("afterok") },
    { "hold", "afternotok", fate_cancelled, FREE },
    { "hold", "aftercorr", fate_cancelled, NEVER("aftercorr") },
};

START_TEST(each_kind_waits_for_what_it_says)
{
    struct lab *lab = lab_new("nodes=2");
    AUTO_FREE char *first = xasprintf("nodes=1 %s", rows[_i].first);
    AUTO_FREE char *second = xasprintf("nodes=1 after=%s:1", rows[_i].after);

    lab_submit(lab, first);
    ck_assert_uint_eq(lab_submit(lab, second), 2);
    rows[_i].fate(lab);

    ck_assert_str_eq(look(lab, 2), rows[_i].seen);
    lab_free(lab);
}
END_TEST

START_TEST(what_is_known_already_counts_when_the_job_is_submitted)
{
    struct lab *lab = lab_new("nodes=2");
    AUTO_FREE char *first = xasprintf("nodes=1 %s", rows[_i].first);
    AUTO_FREE char *second = xasprintf("nodes=1 after=%s:1", rows[_i].after);

    lab_submit(lab, first);
    rows[_i].fate(lab);
    ck_assert_uint_eq(lab_submit(lab, second), 2);

    ck_assert_str_eq(look(lab, 2), rows[_i].seen);
    lab_free(lab);
}
END_TEST

START_TEST(jobs_that_nobody_knows_are_not_waited_for)
{
    struct lab *lab = lab_new("nodes=2");

    lab_submit(lab, "array=0-1 hold");
    ck_assert_str_eq(look(lab, lab_submit(lab, "after=afternotok:999")), FREE);
    ck_assert_str_eq(look(lab, lab_submit(lab, "after=afterok:1_7")), FREE);
    ck_assert_str_eq(look(lab, lab_submit(lab, "after=afterok:1?afterok:999")), FREE);
    lab_free(lab);
}
END_TEST

START_TEST(all_must_come_true_or_one_with_a_question_mark)
{
    struct lab *lab = lab_new("nodes=4");

    lab_submit(lab, "");
    lab_submit(lab, "");
    lab_submit(lab, "after=afterok:1,afterok:2");
    lab_submit(lab, "after=afterok:1?afterok:2");
    ck_assert_str_eq(look(lab, 4),
                     "PENDING:Dependency:afterok:1(unfulfilled)?afterok:2(unfulfilled)");

    lab_exit(lab, 1, STEP_BATCH, EXIT(1));
    ck_assert_str_eq(look(lab, 3), "PENDING:DependencyNeverSatisfied:"
                                   "afterok:1(failed),afterok:2(unfulfilled)");
    ck_assert_str_eq(look(lab, 4), "PENDING:Dependency:afterok:1(failed)?afterok:2(unfulfilled)");

    lab_exit(lab, 2, STEP_BATCH, 0);
    ck_assert_str_eq(look(lab, 3), "PENDING:DependencyNeverSatisfied:afterok:1(failed)");
    ck_assert_str_eq(look(lab, 4), FREE);
    lab_free(lab);
}
END_TEST

START_TEST(minutes_count_from_the_start_and_outlive_the_job)
{
    struct lab *lab = lab_new("nodes=2");

    lab_submit(lab, "hold");
    lab_submit(lab, "after=after:1+10");
    lab_wait(lab, 1000);
    lab_cancel(lab, 1); /* which counts as a start */
    ck_assert_str_eq(look(lab, 2), "PENDING:Dependency:after:1+10(unfulfilled)");
    lab_wait(lab, 400);
    ck_assert_ptr_null(model_find_job(control_model(lab->control), 1));
    lab_restart(lab, "nodes=2");
    lab_wait(lab, 195);
    ck_assert_str_eq(look(lab, 2), "PENDING:Dependency:after:1+10(unfulfilled)");
    lab_wait(lab, 10);
    ck_assert_str_eq(look(lab, 2), FREE);
    lab_free(lab);
}
END_TEST

START_TEST(minutes_delay_nothing_but_after)
{
    struct lab *lab = lab_new("nodes=2");

    lab_submit(lab, "hold");
    lab_submit(lab, "after=afterany:1+10");
    ck_assert_str_eq(look(lab, 2), "PENDING:Dependency:afterany:1+10(unfulfilled)");
    lab_cancel(lab, 1);
    ck_assert_str_eq(look(lab, 2), FREE);
    lab_free(lab);
}
END_TEST

START_TEST(a_requeued_job_has_not_started)
{
    struct lab *lab = lab_new("nodes=2");

    lab_submit(lab, "requeue=2 on=n1");
    lab_submit(lab, "after=after:1+1 on=n2");
    lab_submit(lab, "after=afternotok:1 on=n2");
    lab_wait(lab, 30);
    lab_lose(lab, "n1");
    lab_update(lab, 0, "n1", NODE_DOWN, "gone");
    ck_assert_str_eq(lab_state(lab, 1), "PENDING");
    lab_wait(lab, 100);
    ck_assert_str_eq(look(lab, 2), "PENDING:Dependency:after:1+1(unfulfilled)");
    ck_assert_str_eq(look(lab, 3), OPEN("afternotok"));
    lab_free(lab);
}
END_TEST

/* ---- what can not come true ---- */

static const struct {
    const char *config, *spec, *seen;
} kills[] = {
    { "", "", "PENDING:DependencyNeverSatisfied:afterok:1(failed)" },
    { "", "kill_invalid=1", "CANCELLED:DependencyNeverSatisfied:afterok:1(failed)" },
    { "kill_invalid=1", "", "CANCELLED:DependencyNeverSatisfied:afterok:1(failed)" },
    { "kill_invalid=1", "kill_invalid=0", "PENDING:DependencyNeverSatisfied:afterok:1(failed)" },
};

START_TEST(a_job_that_can_never_start_is_cancelled_when_that_is_wanted)
{
    AUTO_FREE char *config = xasprintf("nodes=2 %s", kills[_i].config);
    AUTO_FREE char *spec = xasprintf("after=afterok:1 %s", kills[_i].spec);
    struct lab *lab = lab_new(config);

    lab_submit(lab, "");
    lab_submit(lab, spec);
    lab_exit(lab, 1, STEP_BATCH, EXIT(1));

    ck_assert_str_eq(look(lab, 2), kills[_i].seen);
    lab_free(lab);
}
END_TEST

START_TEST(a_long_chain_falls_to_its_end)
{
    struct lab *lab = lab_new("nodes=2 kill_invalid=1");

    lab_submit(lab, "");
    for (uint32_t id = 2; id <= 3000; id++) {
        AUTO_FREE char *spec = xasprintf("after=afterok:%u", id - 1);

        lab_submit(lab, spec);
    }
    lab_exit(lab, 1, STEP_BATCH, EXIT(1));

    ck_assert_str_eq(look(lab, 3000), "CANCELLED:DependencyNeverSatisfied:afterok:2999(failed)");
    lab_free(lab);
}
END_TEST

/* ---- arrays ---- */

START_TEST(an_array_is_over_with_its_last_task)
{
    struct lab *lab = lab_new("nodes=4 cpus=2");

    lab_submit(lab, "array=0-2 cpus=1 mem=1 hold");
    for (int i = 0; i < 4; i++) {
        static const char *const kinds[] = { "afterok", "afternotok", "afterany", "after" };
        AUTO_FREE char *spec = xasprintf("cpus=1 mem=1 after=%s:1", kinds[i]);

        lab_submit(lab, spec);
    }
    ck_assert_str_eq(look(lab, 2), "PENDING:Dependency:afterok:1_*(unfulfilled)");
    lab_cancel_tasks(lab, 1, "0");
    lab_wait(lab, 400); /* which is forgotten before the others are over */
    ck_assert_ptr_null(model_find_task(control_model(lab->control), 1, 0));
    ck_assert_str_eq(look(lab, 3), "PENDING:Dependency:afternotok:1_*(unfulfilled)");
    ck_assert_str_eq(look(lab, 5), "PENDING:Dependency:after:1_*(unfulfilled)");
    lab_restart(lab, "nodes=4 cpus=2");
    lab_cancel(lab, 1);
    ck_assert_str_eq(look(lab, 2), "PENDING:DependencyNeverSatisfied:afterok:1_*(failed)");
    ck_assert_str_eq(look(lab, 3), FREE);
    ck_assert_str_eq(look(lab, 4), FREE);
    ck_assert_str_eq(look(lab, 5), FREE);
    lab_free(lab);
}
END_TEST

START_TEST(a_failed_task_that_is_forgotten_still_counts)
{
    struct lab *lab = lab_new("nodes=1 cpus=2");

    lab_submit(lab, "array=0-1 cpus=1 mem=1");
    lab_submit(lab, "after=afterok:1");
    lab_exit(lab, 2, STEP_BATCH, EXIT(1));
    lab_wait(lab, 400);
    lab_exit(lab, 1, STEP_BATCH, 0);

    ck_assert_str_eq(look(lab, 2 + 1), "PENDING:DependencyNeverSatisfied:afterok:1_*(failed)");
    lab_free(lab);
}
END_TEST

START_TEST(a_task_can_be_waited_for_by_either_of_its_numbers)
{
    struct lab *lab = lab_new("nodes=1 cpus=4");

    lab_submit(lab, "array=5-6 cpus=1 mem=1");
    ck_assert_uint_eq(lab_job(lab, 2)->rec.array_task, 5);
    lab_submit(lab, "cpus=1 mem=1 after=afterok:1_5");
    lab_submit(lab, "cpus=1 mem=1 after=afterok:2");
    ck_assert_str_eq(look(lab, 4), "PENDING:Dependency:afterok:1_5(unfulfilled)");
    lab_exit(lab, 2, STEP_BATCH, 0);

    ck_assert_str_eq(look(lab, 3), FREE);
    ck_assert_str_eq(look(lab, 4), FREE);
    lab_free(lab);
}
END_TEST

START_TEST(tasks_of_corresponding_arrays_go_pair_by_pair)
{
    struct lab *lab = lab_new("nodes=2 cpus=4");

    lab_submit(lab, "array=0-2 cpus=1 mem=1");
    lab_exit(lab, model_find_task(control_model(lab->control), 1, 2)->rec.id, STEP_BATCH, 0);
    const uint32_t id = lab_submit(lab, "array=0-3 cpus=1 mem=1 after=aftercorr:1");

    ck_assert_str_eq(look_task(lab, id, 2), FREE); /* its counterpart was over before */
    ck_assert_str_eq(look_task(lab, id, 0), "PENDING:Dependency:aftercorr:1_*(unfulfilled)");
    lab_exit(lab, model_find_task(control_model(lab->control), 1, 1)->rec.id, STEP_BATCH, EXIT(1));
    ck_assert_str_eq(look_task(lab, id, 1), "PENDING:DependencyNeverSatisfied:"
                                            "aftercorr:1_*(failed)");
    ck_assert_str_eq(look_task(lab, id, 0), "PENDING:Dependency:aftercorr:1_*(unfulfilled)");
    lab_restart(lab, "nodes=2 cpus=4");
    lab_wait(lab, 10);
    lab_exit(lab, model_find_task(control_model(lab->control), 1, 0)->rec.id, STEP_BATCH, 0);
    ck_assert_str_eq(look_task(lab, id, 0), FREE);
    ck_assert_str_eq(look_task(lab, id, 3), /* it has none: all of the array counts, as in Slurm */
                     "PENDING:DependencyNeverSatisfied:aftercorr:1_*(failed)");
    lab_free(lab);
}
END_TEST

START_TEST(an_array_waits_as_one_until_it_may_start)
{
    struct lab *lab = lab_new("nodes=2 cpus=4");

    lab_submit(lab, "");
    lab_submit(lab, "array=0-9%2 cpus=1 mem=1 after=afterany:1");
    ck_assert_uint_eq(HASH_COUNT(control_model(lab->control)->jobs), 2);
    lab_exit(lab, 1, STEP_BATCH, 0);

    ck_assert_str_eq(look_task(lab, 2, 0), FREE);
    ck_assert_str_eq(look_task(lab, 2, 1), FREE);
    ck_assert_str_eq(look_task(lab, 2, 2), "PENDING:JobArrayTaskLimit:");
    lab_free(lab);
}
END_TEST

/* ---- singleton ---- */

START_TEST(only_one_of_a_name_runs_in_the_order_of_their_arrival)
{
    struct lab *lab = lab_new("nodes=6");

    lab_submit(lab, "name=x");
    lab_submit(lab, "name=x after=singleton");
    lab_submit(lab, "name=x after=singleton");
    lab_submit(lab, "name=y after=singleton");
    lab_submit_as(lab, LAB_OTHER, "name=x after=singleton");
    ck_assert_str_eq(look(lab, 2), "PENDING:Dependency:singleton(unfulfilled)");
    ck_assert_str_eq(look(lab, 4), FREE);
    ck_assert_str_eq(look(lab, 5), FREE);

    lab_exit(lab, 1, STEP_BATCH, EXIT(1));
    ck_assert_str_eq(look(lab, 2), FREE);
    ck_assert_str_eq(look(lab, 3), "PENDING:Dependency:singleton(unfulfilled)");
    lab_restart(lab, "nodes=6");
    lab_exit(lab, 2, STEP_BATCH, 0);
    ck_assert_str_eq(look(lab, 3), FREE);
    lab_free(lab);
}
END_TEST

START_TEST(a_later_job_of_the_name_holds_a_singleton_only_while_it_runs)
{
    struct lab *lab = lab_new("nodes=6");

    lab_submit(lab, "name=x hold after=singleton");
    lab_submit(lab, "name=x");
    lab_submit(lab, "name=x hold");
    ck_assert_str_eq(look(lab, 1), "PENDING:JobHeldUser:singleton(unfulfilled)");
    ck_assert_str_eq(look(lab, 2), FREE);
    lab_cancel(lab, 1);
    lab_submit(lab, "name=x after=singleton");
    lab_exit(lab, 2, STEP_BATCH, 0);
    ck_assert_str_eq(look(lab, 4), "PENDING:Dependency:singleton(unfulfilled)");
    lab_cancel(lab, 3);
    ck_assert_str_eq(look(lab, 4), FREE);
    lab_free(lab);
}
END_TEST

START_TEST(a_job_with_another_name_holds_no_singleton)
{
    struct lab *lab = lab_new("nodes=6");
    AUTO(job_spec) struct job_spec spec;

    job_spec_init(&spec);
    spec.name = xstrdup("y");
    lab_submit(lab, "name=x");
    lab_submit(lab, "name=x after=singleton");
    lab_submit(lab, "name=y hold");
    ck_assert_int_eq(update(lab, 1, &spec, SPEC_TAG_name), 0);
    ck_assert_str_eq(look(lab, 2), FREE);
    lab_cancel(lab, 3);
    lab_submit(lab, "name=y after=singleton");
    ck_assert_str_eq(look(lab, 4), "PENDING:Dependency:singleton(unfulfilled)");
    lab_free(lab);
}
END_TEST

START_TEST(a_singleton_that_was_held_is_weighed_when_it_is_released)
{
    struct lab *lab = lab_new("nodes=6");
    const struct caller caller = lab_caller(LAB_USER);
    struct job_update request = { .job_id = 1, .hold = HOLD_RELEASE, .array_limit = COUNT_UNSET };
    AUTO(job_altered) struct job_altered altered;

    job_altered_init(&altered);
    lab_submit(lab, "name=x hold after=singleton");
    control_update(lab_act(lab, &caller), &request, &altered, NULL);
    lab_settle(lab);
    ck_assert_str_eq(look(lab, 1), FREE);
    ck_assert_int_eq(lab_job(lab, 1)->rec.eligible_time, 1800000000);
    lab_free(lab);
}
END_TEST

START_TEST(tasks_of_a_singleton_array_run_together)
{
    struct lab *lab = lab_new("nodes=1 cpus=4");

    lab_submit(lab, "array=0-1 cpus=1 mem=1 after=singleton");
    ck_assert_str_eq(look_task(lab, 1, 0), FREE);
    ck_assert_str_eq(look_task(lab, 1, 1), FREE);
    lab_free(lab);
}
END_TEST

/* ---- times, clients, changes ---- */

START_TEST(a_job_is_eligible_once_it_waits_for_no_other)
{
    struct lab *lab = lab_new("nodes=2");

    lab_submit(lab, "");
    lab_submit(lab, "after=afterok:1");
    lab_submit(lab, "after=afterok:1 begin=600");
    ck_assert_int_eq(lab_job(lab, 2)->rec.eligible_time, 0);
    lab_wait(lab, 60);
    lab_exit(lab, 1, STEP_BATCH, 0);

    ck_assert_int_eq(lab_job(lab, 2)->rec.eligible_time, 1800000060);
    ck_assert_int_eq(lab_job(lab, 3)->rec.eligible_time, 1800000600);
    ck_assert_str_eq(look(lab, 3), "PENDING:BeginTime:");
    lab_free(lab);
}
END_TEST

START_TEST(an_allocation_can_wait_for_a_job_but_not_at_once)
{
    struct lab *lab = lab_new("nodes=2");

    lab_submit(lab, "");
    lab_allocate(lab, "immediate=1 after=afterok:1", NULL);
    ck_assert_int_eq(lab->rc, -E_DEPENDENCY);
    lab_quiet(lab);
    lab_allocate(lab, "after=afterok:1", NULL);
    ck_assert_str_eq(look(lab, 2), OPEN("afterok"));
    ck_assert_ptr_nonnull(strstr(strbuf_text(&lab->said), "queued"));
    lab_exit(lab, 1, STEP_BATCH, 0);
    ck_assert_str_eq(look(lab, 2), FREE);
    lab_free(lab);
}
END_TEST

START_TEST(a_text_that_names_no_dependency_makes_no_job)
{
    struct lab *lab = lab_new("nodes=2");

    ck_assert_uint_eq(lab_submit(lab, "after=foo:1"), 0);
    ck_assert_int_eq(lab->rc, -E_DEPENDENCY);
    ck_assert_str_eq(lab->err.text, "Job dependency problem: 'foo' is no kind of dependency");
    ck_assert_uint_eq(lab_submit(lab, ""), 1);
    lab_free(lab);
}
END_TEST

START_TEST(dependencies_can_be_changed_but_not_into_a_circle)
{
    struct lab *lab = lab_new("nodes=3");

    lab_submit(lab, "hold");
    lab_submit(lab, "after=afterok:1");
    lab_submit(lab, "after=afterok:2");
    lab_submit(lab, "array=0-1 after=afterok:3 mem=1");
    ck_assert_int_eq(change(lab, 1, "afterok:4_1"), -E_CIRCULAR);
    ck_assert_int_eq(change(lab, 1, "afterok:3"), -E_CIRCULAR);
    ck_assert_int_eq(change(lab, 1, "afterok:1"), -E_DEPENDENCY);
    ck_assert_int_eq(change(lab, 1, "foo"), -E_DEPENDENCY);
    ck_assert_str_eq(look(lab, 1), "PENDING:JobHeldUser:");

    ck_assert_int_eq(change(lab, 3, "after:1+4"), 0);
    ck_assert_str_eq(look(lab, 3), "PENDING:Dependency:after:1+4(unfulfilled)");
    ck_assert_int_eq(change(lab, 2, ""), 0);
    ck_assert_str_eq(look(lab, 2), FREE);
    ck_assert_int_eq(change(lab, 1, "afterany:2"), 0);
    ck_assert_str_eq(look(lab, 1), "PENDING:JobHeldUser:afterany:2(unfulfilled)");
    lab_free(lab);
}
END_TEST

START_TEST(a_job_that_was_planned_can_be_made_to_wait)
{
    struct lab *lab = lab_new("nodes=1");

    lab_submit(lab, "exclusive");
    lab_submit(lab, "exclusive");
    lab_submit(lab, "hold");
    ck_assert_int_eq(change(lab, 2, "afterok:3"), 0);
    lab_exit(lab, 1, STEP_BATCH, 0);
    ck_assert_str_eq(look(lab, 2), "PENDING:Dependency:afterok:3(unfulfilled)");
    ck_assert_int_eq(change(lab, 2, "0"), 0);
    ck_assert_str_eq(look(lab, 2), FREE);
    lab_free(lab);
}
END_TEST

CHECK_MAIN(depend, LOOP_CASE(each_kind_waits_for_what_it_says, ARRAY_N(rows)),
           LOOP_CASE(what_is_known_already_counts_when_the_job_is_submitted, ARRAY_N(rows)),
           CASE(jobs_that_nobody_knows_are_not_waited_for),
           CASE(all_must_come_true_or_one_with_a_question_mark),
           CASE(minutes_count_from_the_start_and_outlive_the_job),
           CASE(minutes_delay_nothing_but_after), CASE(a_requeued_job_has_not_started),
           LOOP_CASE(a_job_that_can_never_start_is_cancelled_when_that_is_wanted, ARRAY_N(kills)),
           CASE(a_long_chain_falls_to_its_end), CASE(an_array_is_over_with_its_last_task),
           CASE(a_failed_task_that_is_forgotten_still_counts),
           CASE(a_task_can_be_waited_for_by_either_of_its_numbers),
           CASE(tasks_of_corresponding_arrays_go_pair_by_pair),
           CASE(an_array_waits_as_one_until_it_may_start),
           CASE(only_one_of_a_name_runs_in_the_order_of_their_arrival),
           CASE(a_later_job_of_the_name_holds_a_singleton_only_while_it_runs),
           CASE(a_job_with_another_name_holds_no_singleton),
           CASE(a_singleton_that_was_held_is_weighed_when_it_is_released),
           CASE(tasks_of_a_singleton_array_run_together),
           CASE(a_job_is_eligible_once_it_waits_for_no_other),
           CASE(an_allocation_can_wait_for_a_job_but_not_at_once),
           CASE(a_text_that_names_no_dependency_makes_no_job),
           CASE(dependencies_can_be_changed_but_not_into_a_circle),
           CASE(a_job_that_was_planned_can_be_made_to_wait))
