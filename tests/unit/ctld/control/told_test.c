/* The planner is told everything in slices: what may happen before it knows all. */
#include "unit/check_main.h"

#include "unit/ctld/control/lab.h"
#include "ctld/control/control.h"
#include "ctld/control/answer/info.h"
#include "ctld/control/load.h"
#include "ctld/control/answer/question.h"
#include "ctld/control/schedule.h"
#include "ctld/control/act/state.h"

#define CONFIG "nodes=4 cpus=4 memory=1000 backfill sched="

static void reconfigure(struct lab *lab, const char *text)
{
    struct model_config config = lab_config(text);

    ck_assert_int_eq(control_reconfigure(lab_act(lab, NULL), &config, NULL), 0);
}

/* From here on the planner comes one job further with each event, or call of lab_settle. */
static void begin_slices(struct lab *lab, const char *text)
{
    lab->work = 1;
    lab->lazy = true;
    reconfigure(lab, text);
}

static void end_slices(struct lab *lab)
{
    lab->work = 1000;
    lab->lazy = false;
    lab_settle(lab);
}

/* One job runs on all cpus, so many wait. */
static struct lab *busy_lab(uint32_t waiting)
{
    struct lab *lab = lab_new(CONFIG);

    lab_submit(lab, "nodes=4 exclusive time=1000");
    for (uint32_t i = 0; i < waiting; i++)
        lab_submit(lab, "nodes=1 ntasks=2 mem=10 time=500");
    return lab;
}

static uint32_t running_n(const struct lab *lab)
{
    uint32_t n = 0;

    for (const struct job *job = control_model(lab->control)->jobs; job; job = job->hh.next)
        n += job->rec.state == JOB_RUNNING;
    return n;
}

START_TEST(a_call_tells_no_more_than_its_share)
{
    struct lab *lab = busy_lab(20);
    uint32_t calls = 0;
    begin_slices(lab, CONFIG);

    while (control_schedule(lab_act(lab, NULL), 1))
        calls++;

    ck_assert_uint_gt(calls, 21);
    lab_free(lab);
}
END_TEST

START_TEST(nothing_starts_before_all_is_told)
{
    struct lab *lab = busy_lab(20);
    begin_slices(lab, CONFIG);

    for (uint32_t i = 0; i < 60; i++) {
        lab_settle(lab);
        ck_assert_uint_eq(running_n(lab), 1);
    }

    end_slices(lab);
    ck_assert_uint_eq(running_n(lab), 1);
    lab_exit(lab, 1, STEP_BATCH, 0);
    ck_assert_uint_eq(running_n(lab), 8);
    lab_free(lab);
}
END_TEST

START_TEST(a_question_in_between_is_answered_from_all)
{
    struct lab *lab = busy_lab(20);
    struct control_answer answer;
    AUTO(job_spec) struct job_spec spec;
    lab_job_spec("nodes=4 exclusive time=10", &spec);
    begin_slices(lab, CONFIG);
    lab_settle(lab);

    ck_assert(lab_ask(lab, &spec, &answer));

    ck_assert_int_ge(answer.would.planned_start - lab->now.wall_s, 1000);
    job_submitted_clear(&answer.would);
    lab_free(lab);
}
END_TEST

START_TEST(jobs_are_taken_and_refused_in_between)
{
    struct lab *lab = busy_lab(20);
    uint32_t job;
    begin_slices(lab, CONFIG);

    job = lab_submit(lab, "nodes=1 time=10");
    lab_submit(lab, "nodes=1 ntasks=1 mem=5000");

    ck_assert_int_eq(lab->rc, -E_NODE_CONFIG);
    ck_assert_str_eq(lab_state(lab, job), "PENDING");
    end_slices(lab);
    lab_exit(lab, 1, STEP_BATCH, 0);
    ck_assert_uint_eq(running_n(lab), 8);
    lab_free(lab);
}
END_TEST

/* ---- anything, while it is told ---- */

static uint32_t dice(uint64_t *seed, uint32_t sides)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*seed >> 33) % sides;
}

static void any_submit(struct lab *lab, uint64_t *seed)
{
    char text[128];

    snprintf(text, sizeof(text), "nodes=%u ntasks=%u mem=%u time=%u%s%s", 1 + dice(seed, 4),
             1 + dice(seed, 10), 1 + dice(seed, 600), 5000 + dice(seed, 3000),
             dice(seed, 5) ? "" : " exclusive",
             dice(seed, 3)   ? ""
             : dice(seed, 2) ? " array=1-6"
                             : " array=1-9%2");
    lab_submit(lab, text);
}

static void anything(struct lab *lab, uint64_t *seed)
{
    const uint32_t what = dice(seed, 12);
    struct lab_node *node = &lab->nodes[dice(seed, lab->nodes_n)];

    if (what < 5)
        any_submit(lab, seed);
    else if (what < 7)
        lab_cancel(lab, 1 + dice(seed, control_model(lab->control)->next_job_id));
    else if (what < 9 && node->held_n)
        lab_exit_on(lab, node->name, node->held[0].report.job_id, node->held[0].report.step_id, 0);
    else if (what < 10)
        lab_update(lab, 0, node->name, NODE_UPDATE_DRAIN, "any");
    else if (what < 11)
        lab_update(lab, 0, node->name, NODE_UPDATE_RESUME, NULL);
    else
        lab_hold(lab, 0, 1 + dice(seed, control_model(lab->control)->next_job_id),
                 dice(seed, 2) ? HOLD_AS_USER : HOLD_RELEASE);
}

/* Where each job runs, or when and where it is planned. */
static char *picture(const struct lab *lab)
{
    struct strbuf out = { 0 };

    for (const struct job *job = control_model(lab->control)->jobs; job; job = job->hh.next) {
        AUTO(job_info) struct job_info info;

        control_job_info(lab->control, lab->now, job, &info);
        strbuf_addf(&out, "%u %s %s planned %lld %s\n", job->rec.id,
                    job_state_name(job->rec.state, job->rec.flags),
                    job->rec.node_list ? job->rec.node_list : "-", (long long)info.planned_start,
                    info.planned_nodes ? info.planned_nodes : "-");
    }
    return strbuf_steal(&out);
}

static const char *const ways[] = { CONFIG "bf_max_job_test=1000", CONFIG };

START_TEST(what_happens_in_between_is_planned_as_if_it_were_told_at_once)
{
    const char *config = ways[_i % 2];
    struct lab *lab = lab_new(config);
    uint64_t seed = 300 + (uint64_t)_i;
    AUTO_FREE char *sliced = NULL, *whole = NULL;

    for (int i = 0; i < 30; i++)
        anything(lab, &seed);
    begin_slices(lab, config);
    for (int i = 0; i < 25; i++)
        anything(lab, &seed);
    end_slices(lab);
    lab_wait(lab, 3);
    sliced = picture(lab);
    reconfigure(lab, config);
    lab_settle(lab);
    lab_wait(lab, 3);
    whole = picture(lab);

    ck_assert_str_eq(sliced, whole);
    lab_free(lab);
}
END_TEST

/* What it promises follows from what is kept: no promise is forgotten, and none is another one. */
START_TEST(a_restart_keeps_every_promise)
{
    const char *config = ways[_i % 2];
    struct lab *lab = lab_new(config);
    uint64_t seed = 700 + (uint64_t)_i;
    AUTO_FREE char *before = NULL, *after = NULL;

    for (int i = 0; i < 60; i++)
        anything(lab, &seed);
    lab_wait(lab, 3);
    before = picture(lab);
    lab_restart(lab, config);
    lab_wait(lab, 3);
    after = picture(lab);

    ck_assert_str_eq(before, after);
    lab_free(lab);
}
END_TEST

CHECK_MAIN(told, CASE(a_call_tells_no_more_than_its_share), CASE(nothing_starts_before_all_is_told),
           CASE(a_question_in_between_is_answered_from_all),
           CASE(jobs_are_taken_and_refused_in_between),
           LOOP_CASE(a_restart_keeps_every_promise, 40),
           LOOP_CASE(what_happens_in_between_is_planned_as_if_it_were_told_at_once, 40))
