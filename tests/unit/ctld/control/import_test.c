/* Jobs of another controller become history: once, under a number that was given for it, and with
 * what is left by now of what they used. */
#include "unit/check_main.h"

#include <math.h>
#include <time.h>

#include "unit/ctld/control/acct_desk.h"
#include "common/msg/import.h"
#include "common/text/period.h"
#include "ctld/control/acct/usage.h"
#include "ctld/control/job/ids.h"
#include "ctld/control/job/import.h"

#define HALF_LIFE_S 3600
#define PLACE       "nodes=2 cpus=4 memory=4000 share_memory=1 multifactor=1 half_life=3600"
#define PAST_ID     500

static struct desk begin(void)
{
    struct desk desk = desk_new(PLACE);

    ck_assert_int_eq(add_account(&desk, 0, "chem", "root"), 0);
    ck_assert_int_eq(add_user(&desk, 0, "ann", "chem"), 0);
    return desk;
}

/* A page with one job of ann, which ran on two cpus for an hour and ended some time ago. */
static struct import_page page_of(const struct desk *desk, uint64_t number, uint32_t id,
                                  int64_t ago_s)
{
    struct import_page page;
    struct history_job *past;
    struct job_node *node;

    import_page_init(&page);
    page.number = number;
    past = ARRAY_PUSH(page.jobs, page.jobs_n);
    history_job_init(past);
    past->job = xmalloc(sizeof(*past->job));
    job_record_init(past->job);
    past->body = xmalloc(sizeof(*past->body));
    job_body_init(past->body);
    past->job->spec = xmalloc(sizeof(*past->job->spec));
    job_spec_init(past->job->spec);
    past->job->spec->account = xstrdup("chem");
    past->job->id = id;
    past->job->user_name = xstrdup("ann");
    past->job->partition = xstrdup("debug");
    past->job->state = JOB_COMPLETE;
    past->job->ncpus = 2;
    past->job->launch_number = 1;
    past->job->end_time = desk->lab->now.wall_s - ago_s;
    past->job->start_time = past->job->end_time - HALF_LIFE_S;
    node = ARRAY_PUSH(past->job->nodes, past->job->nodes_n);
    job_node_init(node);
    node->name = xstrdup("n1");
    return page;
}

static int send_page(struct desk *desk, uint32_t uid, struct import_page *page,
                     struct import_taken *ret)
{
    const struct caller caller = lab_caller(uid);
    int rc;

    import_taken_init(ret);
    rc = control_import_page(lab_act(desk->lab, &caller), page, ret, NULL);
    lab_settle(desk->lab);
    import_page_clear(page);
    return rc;
}

static uint64_t begin_import(struct desk *desk, uint32_t uid, int expected)
{
    const struct import_begin request = { .highest_job = PAST_ID };
    const struct caller caller = lab_caller(uid);
    struct import_begun begun;
    int rc;

    import_begun_init(&begun);
    rc = control_import_begin(lab_act(desk->lab, &caller), &request, &begun, NULL);
    lab_settle(desk->lab);
    ck_assert_int_eq(rc, expected);
    return begun.number;
}

static double used(const struct desk *desk)
{
    AUTO_FREE char *key = acct_assoc_key("lab", "chem", "ann", NULL);
    const struct assoc *assoc = kept_find(control_kept(desk->lab->control, KEPT_ASSOC), key);

    return usage_of_assoc(desk->lab->control, desk->lab->now, assoc, "cpu", USAGE_OF_ALL);
}

START_TEST(what_a_job_used_counts_as_much_as_is_left_of_it)
{
    const double hour = HALF_LIFE_S / log(2);
    struct desk desk = begin();
    struct import_page page = page_of(&desk, begin_import(&desk, 0, 0), PAST_ID, 2 * HALF_LIFE_S);
    struct import_taken taken;

    ck_assert_int_eq(send_page(&desk, 0, &page, &taken), 0);

    ck_assert_int_eq(taken.refused_n, 0);
    ck_assert_msg(fabs(used(&desk) - 2 * hour * 0.5 / 4) < 0.01, "%f", used(&desk));
    import_taken_clear(&taken);
    desk_free(&desk);
}
END_TEST

START_TEST(it_is_not_in_memory_and_the_next_job_has_a_higher_number)
{
    struct desk desk = begin();
    struct import_page page = page_of(&desk, begin_import(&desk, 0, 0), PAST_ID, 60);
    struct import_taken taken;

    ck_assert_int_eq(send_page(&desk, 0, &page, &taken), 0);

    ck_assert_ptr_null(model_find_job(control_model(desk.lab->control), PAST_ID));
    ck_assert_int_eq((int)lab_submit(desk.lab, "account=chem"), PAST_ID + 1);
    import_taken_clear(&taken);
    desk_free(&desk);
}
END_TEST

START_TEST(a_job_whose_number_is_taken_is_refused)
{
    struct desk desk = begin();
    const uint32_t id = lab_submit(desk.lab, "account=chem");
    struct import_page page = page_of(&desk, begin_import(&desk, 0, 0), id, 60);
    struct import_taken taken;

    ck_assert_int_eq(send_page(&desk, 0, &page, &taken), 0);

    ck_assert_int_eq(taken.refused_n, 1);
    ck_assert_int_eq((int)taken.refused[0], (int)id);
    import_taken_clear(&taken);
    desk_free(&desk);
}
END_TEST

START_TEST(another_import_ends_the_one_before)
{
    struct desk desk = begin();
    const uint64_t first = begin_import(&desk, 0, 0);
    struct import_page page = page_of(&desk, first, PAST_ID, 60);
    struct import_taken taken;

    begin_import(&desk, 0, 0);

    ck_assert_int_eq(send_page(&desk, 0, &page, &taken), -EBUSY);
    ck_assert(used(&desk) == 0);
    desk_free(&desk);
}
END_TEST

START_TEST(a_job_that_is_not_over_is_refused_with_its_page)
{
    struct desk desk = begin();
    struct import_page page = page_of(&desk, begin_import(&desk, 0, 0), PAST_ID, 60);
    struct import_taken taken;

    page.jobs[0].job->state = JOB_RUNNING;

    ck_assert_int_eq(send_page(&desk, 0, &page, &taken), -EINVAL);
    desk_free(&desk);
}
END_TEST

START_TEST(a_job_that_tells_neither_user_nor_partition_is_history_and_counts_nowhere)
{
    struct desk desk = begin();
    struct import_page page = page_of(&desk, begin_import(&desk, 0, 0), PAST_ID, 60);
    struct import_taken taken;

    xstrset(&page.jobs[0].job->partition, NULL);
    xstrset(&page.jobs[0].job->user_name, NULL);

    ck_assert_int_eq(send_page(&desk, 0, &page, &taken), 0);
    ck_assert(used(&desk) == 0);
    import_taken_clear(&taken);
    desk_free(&desk);
}
END_TEST

/* A page without jobs, with what ann held in a period that begins at the moment. */
static struct import_page page_of_sums(uint64_t number, uint32_t period, int64_t at)
{
    struct import_page page;
    struct sums_whole *whole;
    struct sum_whole *row;

    import_page_init(&page);
    page.number = number;
    whole = ARRAY_PUSH(page.sums, page.sums_n);
    sums_whole_init(whole);
    whole->period = period;
    whole->account = xstrdup("chem");
    whole->user = xstrdup("ann");
    row = ARRAY_PUSH(whole->rows, whole->rows_n);
    sum_whole_init(row);
    row->at = at;
    row->cpu = 60;
    return page;
}

static const struct {
    uint32_t period;
    int64_t at;
    int rc;
} sums[] = {
    { PERIOD_HOUR, 3600 - 1800, 0 }, /* the zone is half an hour off */
    { PERIOD_DAY, 86400 - 19800, 0 },         { PERIOD_MONTH, 31 * 86400 - 19800, 0 },
    { PERIOD_HOUR, 3600, -EINVAL },           { PERIOD_DAY, 86400, -EINVAL },
    { PERIOD_MONTH, 86400 - 19800, -EINVAL }, { PERIODS_N, 0, -EINVAL },
};

START_TEST(sums_are_of_hours_days_and_months_of_this_controller)
{
    const struct caller caller = lab_caller(0);
    struct desk desk = begin();
    struct import_page page = page_of_sums(begin_import(&desk, 0, 0), sums[_i].period, sums[_i].at);
    struct import_taken taken;
    struct act *act = lab_act(desk.lab, &caller);
    const struct turn_changes *changes = &act->turn->changes;

    setenv("TZ", "XST-5:30", 1);
    tzset();
    import_taken_init(&taken);

    ck_assert_int_eq(control_import_page(act, &page, &taken, NULL), sums[_i].rc);
    ck_assert_uint_eq(changes->changes_n, sums[_i].rc == 0);
    if (sums[_i].rc == 0)
        ck_assert_int_eq((int)changes->changes[0].kind, CHANGE_SUMS_WHOLE);
    import_page_clear(&page);
    lab_settle(desk.lab);
    desk_free(&desk);
}
END_TEST

/* ---- numbers of jobs ---- */

/* What a cluster with MaxJobId=10, which has given the ids 1 and 2, makes of the history of others:
 * the next id, and the round of ids that it is of. */
static const struct {
    uint32_t max_id, past, run, next, round;
} past_ids[] = {
    { 10, 7, 0, 8, 0 },
    { 10, 2, 0, 3, 0 },
    { 10, 10, 0, 1, 1 }, /* as after the highest one of its own */
    { 10, 11, 0, 3, 1 }, /* none that ids go on from: but what it has is not overwritten later */
    { 10, 2, 3u << JOB_RUN_BITS, 3, 3 },
    { 10, 7, 3u << JOB_RUN_BITS, 8, 3 },
    { 10, 11, 3u << JOB_RUN_BITS, 3, 4 },
    { 0, 67043329, 0, 3, 1 }, /* Slurm's default MaxJobId */
};

START_TEST(ids_go_on_above_those_of_the_history_up_to_the_highest)
{
    AUTO_FREE char *config =
        xasprintf("nodes=1 cpus=4 share_memory=1 max_id=%u", past_ids[_i].max_id);
    struct lab *lab = lab_new(config);
    const struct caller root = lab_caller(0);
    const struct job *job;

    lab_submit(lab, "hold=1");
    lab_exit(lab, lab_submit(lab, ""), STEP_BATCH, 0);
    lab_cancel(lab, 1);
    lab_wait(lab, 400);
    job_learn_id(lab_act(lab, &root), past_ids[_i].past, past_ids[_i].run);
    lab_settle(lab);
    lab_restart(lab, config);
    job = lab_job(lab, lab_submit(lab, "hold=1"));

    ck_assert_uint_eq(job->rec.id, past_ids[_i].next);
    ck_assert_uint_eq(job_round(job->rec.launch_number), past_ids[_i].round);
    lab_free(lab);
}
END_TEST

START_TEST(after_they_have_begun_again_ids_stay)
{
    struct lab *lab = lab_new("nodes=1 cpus=1 max_id=3");
    const struct caller root = lab_caller(0);

    for (int i = 0; i < 4; i++) {
        lab_exit(lab, lab_submit(lab, ""), STEP_BATCH, 0);
        lab_wait(lab, 400);
    }
    job_learn_id(lab_act(lab, &root), 3, 0);
    lab_settle(lab);

    ck_assert_uint_eq(lab_submit(lab, "hold=1"), 2);
    ck_assert_uint_eq(job_round(lab_job(lab, 2)->rec.launch_number), 1);
    job_learn_id(lab_act(lab, &root), 3, 1u << JOB_RUN_BITS);
    lab_settle(lab);
    ck_assert_uint_eq(lab_submit(lab, "hold=1"), 3);
    ck_assert_uint_eq(job_round(lab_job(lab, 3)->rec.launch_number), 2);
    lab_free(lab);
}
END_TEST

START_TEST(users_do_not_import)
{
    struct desk desk = begin();

    begin_import(&desk, ANN, -E_ACCESS);
    desk_free(&desk);
}
END_TEST

CHECK_MAIN(import, CASE(what_a_job_used_counts_as_much_as_is_left_of_it),
           CASE(it_is_not_in_memory_and_the_next_job_has_a_higher_number),
           CASE(a_job_whose_number_is_taken_is_refused), CASE(another_import_ends_the_one_before),
           CASE(a_job_that_is_not_over_is_refused_with_its_page),
           CASE(a_job_that_tells_neither_user_nor_partition_is_history_and_counts_nowhere),
           LOOP_CASE(sums_are_of_hours_days_and_months_of_this_controller, ARRAY_N(sums)),
           LOOP_CASE(ids_go_on_above_those_of_the_history_up_to_the_highest, ARRAY_N(past_ids)),
           CASE(after_they_have_begun_again_ids_stay), CASE(users_do_not_import))
