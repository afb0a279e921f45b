/*
 * Questions are answered in slices, and nobody notices: what is told about all jobs is the same in
 * between, the plan is byte for byte the same afterwards, and whatever happens meanwhile, the plan
 * is that of a rebuild.
 */
#include "unit/check_main.h"

#include <inttypes.h>

#include "ctld/sched/plan/state.h"
#include "unit/ctld/sched/proof/checker.h"
#include "unit/ctld/sched/proof/play.h"
#include "unit/ctld/sched/proof/promises.h"
#include "unit/ctld/sched/proof/trial.h"

#define ASKED_ID 1000000

/* ---- what is there ---- */

/* What is free on the node from a moment on. */
static void add_free(const struct planner *planner, uint32_t node, int64_t at, struct strbuf *out)
{
    const uint32_t words = planner->cluster.nodes[node].words;
    struct supply free_then = { .bits = xcalloc(words + 1, sizeof(uint64_t)) };

    future_window(planner->plan->future, node, at, future_add(at, 1), &free_then);
    strbuf_addf(out, "%u at %" PRId64 ":", node, at);
    for (uint32_t i = 0; i < words; i++)
        strbuf_addf(out, " %" PRIx64, free_then.bits[i]);
    for (uint32_t i = 0; i < PLAN_AMOUNTS_MAX; i++)
        strbuf_addf(out, " %" PRIu64, free_then.amounts[i]);
    strbuf_addc(out, '\n');
    free(free_then.bits);
}

/* Floors are left out: each pass finds those that it needs. */
static void add_line(const struct plan_line *line, struct strbuf *out)
{
    strbuf_addf(out, "line %d %d %d\n", line->has_first, line->told_first, line->blocked);
}

/* Those that run, and then those that wait; NULL: there are no more. */
static const struct sched_job *job_at(const struct planner *planner, uint32_t i)
{
    if (i < planner->running_n)
        return planner->running[i];
    return i - planner->running_n < planner->queue.n
               ? planner->queue.by_rank[i - planner->running_n]
               : NULL;
}

/* The whole plan: the nodes at every moment at which anything changes, lines and holders. */
static void add_plan(const struct planner *planner, struct strbuf *out)
{
    const struct sched_job *job;

    for (uint32_t node = 0; node < planner->cluster.nodes_n; node++) {
        for (int64_t at = planner->now_ms; at < FUTURE_END;
             at = future_next_release(planner->plan->future, node, at))
            add_free(planner, node, at, out);
        for (uint32_t i = 0; (job = job_at(planner, i)); i++)
            add_free(planner, node, job->from > 0 ? job->from : 0, out);
        strbuf_addf(out, "held by %u\n", planner->plan->holders.nodes[node].n);
    }
    for (uint32_t i = 0; i < planner->cluster.partitions_n; i++)
        add_line(&planner->plan->lines[i], out);
    for (uint32_t i = 0; (job = job_at(planner, i)); i++)
        strbuf_addf(out, "job %" PRIu64 " %d %d %d %d %" PRId64 " %" PRId64 "\n", job->id,
                    job->claims, job->put_off, job->tried, job->in_line, job->from, job->to);
}

/* ---- questions ---- */

/* A question about a job like one of these, of any rank. */
static void ask(struct play *play, const struct plan_job *like, uint32_t number)
{
    struct plan_job job = *like;

    job.id = ASKED_ID + number;
    job.priority = number * UINT32_C(2654435761) % 12;
    planner_ask(play->planner, play->now.now_ms, &job);
}

/* The waiting job with that number, or the next one; NULL: none waits. */
static const struct plan_job *waiting(const struct play *play, uint32_t number)
{
    for (uint32_t i = 0; i < play->now.jobs_n; i++) {
        const struct plan_job *job = &play->jobs[(number + i) % play->now.jobs_n];

        if (!job->runs)
            return job;
    }
    return NULL;
}

/* Steps to the end; all jobs are told the same all the time. */
static bool is_unnoticed(struct play *play, const struct strbuf *words, struct strbuf *problem)
{
    struct plan_decision decision;
    bool more = true, holds = true;

    while (more && holds) {
        AUTO(strbuf) struct strbuf now = { 0 };

        more = play_step(play);
        play_words(play, &now);
        holds = words_are_same(words, &now, "during a question", problem);
    }
    if (holds && !planner_answer(play->planner, &decision))
        return wrong(problem, "there is no answer");
    return holds;
}

static bool leaves_all_as_it_was(struct play *play, struct strbuf *problem)
{
    for (uint32_t number = 1; number <= 6; number++) {
        AUTO(strbuf) struct strbuf words = { 0 }, before = { 0 }, after = { 0 };
        const struct plan_job *like = waiting(play, number * 7);

        if (!like)
            return true;
        play_words(play, &words);
        add_plan(play->planner, &before);
        play->units = 1 + number % 3;
        ask(play, like, number);
        if (!is_unnoticed(play, &words, problem))
            return false;
        add_plan(play->planner, &after);
        if (!words_are_same(&before, &after, "after a question", problem))
            return false;
    }
    return true;
}

static bool questions_change_nothing(const struct trial_moment *moment, struct strbuf *problem)
{
    AUTO(play) struct play play = play_new(&moment->before);

    if (!moment->done)
        return true;
    play_pass(&play);
    return leaves_all_as_it_was(&play, problem);
}

/* Each was found by chance: a question, which claims of pools too, changed what was told. */
static const char *const stories[] = {
    /* What never fits waits for no pool. */
    "nodes=1x1x1x1\n"
    "pool total=2\n"
    "job j18: claims=0:2/node nodes=2-0\n"
    "now 0\n",
    /* A place whose own claim is all that is short of a limit is kept. */
    "nodes=3x1x1x1\n"
    "node 2: weight=0\n"
    "pool private\n"
    "pool private\n"
    "reservation nodes=2-2 from=1 to=2\n"
    "reservation nodes=0-0 to=1\n"
    "resize 1 1\n"
    "job j3: claims=1:1 nodes=2-0\n"
    "job j4: priority=0 time=2\n"
    "job j6: nodes=2-0\n"
    "job j7: time=1\n"
    "now 0\n",
    /* A pool that comes to be watched takes no place. */
    "nodes=6x1x3x1 select=cpu\n"
    "node 0: weight=0\n"
    "node 1: down\n"
    "node 4: weight=0\n"
    "node 5: weight=0\n"
    "pool nodes\n"
    "pool private\n"
    "job j0: claims=0:1 nodes=1\n"
    "resize 0 3\n"
    "job j1: priority=0 time=1 claims=0:0/cpu tasks=2\n"
    "job j2: tasks=2 memory-bound\n"
    "job j4: time=1 tasks=5\n"
    "job j5: time=1\n"
    "job j6: tasks=5\n"
    "now 0\n",
    "nodes=4x1x1x2\n"
    "pool total=0\n"
    "pool nodes total=3 private\n"
    "reservation nodes=0-0 to=2\n"
    "job j2: time=1 claims=0:1/gpu,1:0/cpu nodes=1\n"
    "job j4: time=1\n"
    "job j6: time=1 claims=0:1/gpu,1:0 tasks=2 cpus=2\n"
    "now 0 0\n",
    /* What needs more nodes than a pool has is not let have fewer. */
    "nodes=3x1x1x1 plans=1 in-queue\n"
    "node 1: features=x,y\n"
    "node 0: features=x,y,z\n"
    "pool nodes total=2\n"
    "reservation nodes=0-0 to=1\n"
    "job j3: priority=0 claims=0:1/gpu nodes=3 listed=0,0,1\n"
    "job j4: features=[x*1&y*1]\n"
    "now 0\n",
};

START_TEST(stories_that_questions_changed_stay_as_they_are)
{
    AUTO_FREE char *failure = trial_retell(questions_change_nothing, stories[_i]);

    ck_assert_msg(!failure, "%s", failure);
}
END_TEST

START_TEST(nothing_is_changed_by_questions)
{
    trial_run(questions_change_nothing, &(struct random_mix){ .lines = 50 },
              40000 + (uint64_t)_i * 1000, 40);
}
END_TEST

START_TEST(nor_where_few_are_promised_a_place)
{
    trial_run(questions_change_nothing, &(struct random_mix){ .lines = 60, .promises = true },
              45000 + (uint64_t)_i * 1000, 60);
}
END_TEST

/* ---- changes in between ---- */

static void step_a_little(struct play *play, uint32_t n)
{
    while (n-- > 0 && play_step(play))
        ;
}

/* In the middle of each question a job goes, or time passes and jobs end. */
static void disturb(struct play *play)
{
    for (uint32_t number = 1; number <= 8 && play->now.jobs_n > 0; number++) {
        const struct plan_job *like = waiting(play, number * 5);

        if (!like)
            return;
        play->units = 1 + number % 4;
        ask(play, like, number);
        step_a_little(play, number * 3);
        if (number % 3 == 0) {
            play->now.now_ms += 2500;
            play_leave(play);
        } else {
            play_remove(play, play->jobs[number * 3 % play->now.jobs_n].id);
        }
        step_a_little(play, number % 4);
    }
}

static bool changes_between_slices_are_heeded(const struct trial_moment *moment,
                                              struct strbuf *problem)
{
    AUTO(play) struct play play = play_new(&moment->before);
    struct trial_moment end = *moment;

    if (!moment->done)
        return true;
    play_pass(&play);
    disturb(&play);
    play_pass(&play);
    end.planner = play.planner;
    end.after = play.now;
    return promise_rebuilt(&end, problem);
}

START_TEST(what_changes_during_a_question_ends_in_the_plan_of_a_rebuild)
{
    trial_run(changes_between_slices_are_heeded, &(struct random_mix){ .lines = 50 },
              50000 + (uint64_t)_i * 1000, 40);
}
END_TEST

START_TEST(so_it_does_where_few_are_promised_a_place)
{
    trial_run(changes_between_slices_are_heeded,
              &(struct random_mix){ .lines = 60, .promises = true }, 55000 + (uint64_t)_i * 1000,
              60);
}
END_TEST

/* ---- reasons ---- */

static enum plan_why why(const struct sim *sim, uint64_t id)
{
    struct plan_decision decision;

    ck_assert(planner_look(sim->planner, id, &decision));
    return decision.why;
}

/* "a" has the promise of its line, "b" was put off behind it. */
static struct sim *sim_with_promise(void)
{
    struct sim *sim = sim_new("nodes=2x1 stretched plans=1 lines plan-age=172800");

    sim_job(sim, "run: nodes=2 time=1000 running");
    sim_job(sim, "a: nodes=2 time=1000 priority=9");
    sim_job(sim, "b: nodes=1 time=1000 priority=5");
    sim_job(sim, "asked: nodes=1 time=10 priority=99");
    sim_end(sim, "asked");
    sim_pass(sim);
    return sim;
}

static void ask_like(struct sim *sim, const char *name)
{
    struct plan_job job = sim_find(sim, name)->ask;

    job.id = ASKED_ID;
    planner_ask(sim->planner, sim->snapshot.now_ms, &job);
}

START_TEST(a_question_rewrites_no_reason_of_another_job)
{
    struct sim *sim = sim_with_promise();
    struct plan_decision decision;
    ck_assert_int_eq(why(sim, 3), PLAN_WHY_PRIORITY);

    ask_like(sim, "asked");
    while (!planner_answer(sim->planner, &decision)) {
        sim_step(sim, 1);
        ck_assert_int_eq(why(sim, 2), PLAN_WHY_RESOURCES);
        ck_assert_int_eq(why(sim, 3), PLAN_WHY_PRIORITY);
    }

    ck_assert_int_eq(decision.at_ms, 1000000);
    ck_assert_int_eq(why(sim, 3), PLAN_WHY_PRIORITY);
    sim_free(sim);
}
END_TEST

START_TEST(nor_does_one_that_is_asked_before_a_change_is_planned)
{
    struct sim *sim = sim_with_promise();

    sim_job(sim, "c: nodes=1 time=500 priority=50");
    ask_like(sim, "asked");
    ck_assert_int_eq(why(sim, 3), PLAN_WHY_PRIORITY);
    while (planner_ponder(sim->planner, sim->snapshot.now_ms, 1))
        ck_assert_int_eq(why(sim, 3), PLAN_WHY_PRIORITY);

    ck_assert_int_eq(why(sim, 3), PLAN_WHY_PRIORITY);
    sim_free(sim);
}
END_TEST

START_TEST(a_question_that_nobody_waits_for_leaves_the_plan_whole)
{
    struct sim *sim = sim_with_promise();
    AUTO(strbuf) struct strbuf before = { 0 }, after = { 0 };
    add_plan(sim->planner, &before);

    ask_like(sim, "asked");
    sim_step(sim, 1);
    planner_forget_question(sim->planner);
    sim_pass(sim);

    add_plan(sim->planner, &after);
    ck_assert_str_eq(strbuf_text(&before), strbuf_text(&after));
    sim_free(sim);
}
END_TEST

CHECK_MAIN(question, CASE(a_question_rewrites_no_reason_of_another_job),
           CASE(nor_does_one_that_is_asked_before_a_change_is_planned),
           CASE(a_question_that_nobody_waits_for_leaves_the_plan_whole),
           LOOP_CASE(stories_that_questions_changed_stay_as_they_are, (int)ARRAY_N(stories)),
           LOOP_CASE(nothing_is_changed_by_questions, 3),
           LOOP_CASE(nor_where_few_are_promised_a_place, 3),
           LOOP_CASE(what_changes_during_a_question_ends_in_the_plan_of_a_rebuild, 3),
           LOOP_CASE(so_it_does_where_few_are_promised_a_place, 3))
