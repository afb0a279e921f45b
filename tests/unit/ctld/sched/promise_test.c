/*
 * What the planner promises about one plan, on random stories: nothing of lower rank changes a
 * plan, the same input gives the same output however it is cut, and a question is answered truly.
 */
#include "unit/check_main.h"

#include <inttypes.h>

#include "unit/ctld/sched/proof/checker.h"
#include "unit/ctld/sched/proof/play.h"
#include "unit/ctld/sched/proof/trial.h"

/* Whether the job fares alike in both plays. */
static bool fares_alike(const struct play *a, const struct play *b, uint64_t id,
                        struct strbuf *problem)
{
    AUTO(strbuf) struct strbuf left = { 0 }, right = { 0 };

    play_tell(a, id, &left);
    play_tell(b, id, &right);
    if (strcmp(strbuf_text(&left), strbuf_text(&right)) == 0)
        return true;
    return wrong(problem, "job %" PRIu64 ": %s; or: %s", id, strbuf_text(&left),
                 strbuf_text(&right));
}

/* Plays the jobs with the first `n` ranks and compares. */
static bool is_blind_behind(const struct play *all, const struct plan_snapshot *snapshot,
                            const struct plan_job **jobs, uint32_t jobs_n, uint32_t n,
                            struct strbuf *problem)
{
    AUTO(play) struct play some = play_new(snapshot);

    play_without(&some, jobs + n, jobs_n - n);
    play_pass(&some);
    for (uint32_t i = 0; i < n; i++) {
        if (!fares_alike(all, &some, jobs[i]->id, problem))
            return false;
    }
    return true;
}

static bool lower_ranks_change_nothing(const struct trial_moment *moment, struct strbuf *problem)
{
    uint32_t n;
    AUTO_FREE const struct plan_job **jobs = jobs_by_rank(&moment->before, &n);
    AUTO(play) struct play all = play_new(&moment->before);

    if (!moment->done)
        return true;
    play_pass(&all);
    for (uint32_t part = 1; part < 4; part++) {
        if (!is_blind_behind(&all, &moment->before, jobs, n, n * part / 4, problem))
            return false;
    }
    return true;
}

START_TEST(jobs_of_lower_rank_change_no_plan)
{
    trial_run(lower_ranks_change_nothing, &(struct random_mix){ .lines = 50 },
              10000 + (uint64_t)_i * 1000, 40);
}
END_TEST

/* The same jobs, listed from behind. */
static void turn_round(struct plan_snapshot *snapshot)
{
    struct plan_job *jobs = (struct plan_job *)snapshot->jobs;

    for (uint32_t i = 0; i < snapshot->jobs_n / 2; i++) {
        const struct plan_job job = jobs[i];

        jobs[i] = jobs[snapshot->jobs_n - 1 - i];
        jobs[snapshot->jobs_n - 1 - i] = job;
    }
}

static bool output_is_determined(const struct trial_moment *moment, struct strbuf *problem)
{
    static const uint32_t slices[] = { 1, 7, 0 };
    struct plan_snapshot snapshot = moment->before;
    AUTO(play) struct play whole = play_new(&snapshot);

    if (!moment->done)
        return true;
    play_pass(&whole);
    turn_round(&snapshot);
    for (uint32_t i = 0; i < ARRAY_N(slices); i++) {
        AUTO(play) struct play sliced = play_new(&snapshot);

        sliced.units = slices[i];
        play_pass(&sliced);
        for (uint32_t j = 0; j < snapshot.jobs_n; j++) {
            if (!fares_alike(&whole, &sliced, snapshot.jobs[j].id, problem))
                return wrong(problem, "with %u units a step", slices[i]);
        }
    }
    return true;
}

START_TEST(slices_and_the_order_of_the_list_change_no_plan)
{
    trial_run(output_is_determined, &(struct random_mix){ .lines = 50 },
              20000 + (uint64_t)_i * 1000, 40);
}
END_TEST

/* Where a user's own start uses up his limit, another of his jobs loses the nodes that it had in
 * the plan, and so what was answered meanwhile may be improved upon. */
static bool has_limits(const struct plan_snapshot *snapshot)
{
    for (uint32_t i = 0; i < snapshot->pools_n; i++) {
        if (snapshot->pools[i].is_private)
            return true;
    }
    return false;
}

/* Asks about the job, which is not there, then submits it. */
static bool answer_is_true(struct play *play, const struct plan_job *job, struct strbuf *problem)
{
    AUTO(strbuf) struct strbuf said = { 0 }, done = { 0 };
    AUTO(play) struct play real = { 0 };
    struct plan_snapshot with = play->now;
    struct plan_decision decision;

    with.jobs = xcalloc(with.jobs_n + 1, sizeof(*job));
    memcpy((void *)with.jobs, play->jobs, with.jobs_n * sizeof(*job));
    ((struct plan_job *)with.jobs)[with.jobs_n++] = *job;
    real = play_new(&with); /* before anything starts while the question is answered */
    free((void *)with.jobs);
    decision = play_ask(play, job);
    decision_words(&decision, &said);
    play_pass(&real);
    play_tell(&real, job->id, &done);
    if (strcmp(strbuf_text(&said), strbuf_text(&done)) == 0 || has_limits(&play->now))
        return true;
    return wrong(problem, "job %" PRIu64 " is told: %s; but is: %s", job->id, strbuf_text(&said),
                 strbuf_text(&done));
}

/* Before the others are planned, and after. */
static bool is_told_truly(const struct plan_snapshot *snapshot, const struct plan_job *job,
                          struct strbuf *problem)
{
    AUTO(play) struct play play = play_new(snapshot);
    AUTO(strbuf) struct strbuf before = { 0 }, after = { 0 };
    bool holds;

    play_without(&play, &job, 1);
    if (!answer_is_true(&play, job, problem))
        return false;
    play_pass(&play);
    play_words(&play, &before);
    holds = answer_is_true(&play, job, problem);
    play_words(&play, &after);
    if (holds && strcmp(strbuf_text(&before), strbuf_text(&after)) != 0)
        return wrong(problem, "a question about job %" PRIu64 " changes\n%sto\n%s", job->id,
                     strbuf_text(&before), strbuf_text(&after));
    return holds;
}

static bool answers_are_true(const struct trial_moment *moment, struct strbuf *problem)
{
    for (uint32_t i = 0; moment->done && i < moment->before.jobs_n; i += 2) {
        const struct plan_job *job = &moment->before.jobs[i];

        if (!job->runs && job->earliest_ms <= moment->before.now_ms &&
            !is_told_truly(&moment->before, job, problem))
            return false;
    }
    return true;
}

START_TEST(a_job_fares_as_a_question_about_it_was_answered)
{
    trial_run(answers_are_true, &(struct random_mix){ .lines = 40, .unbounded = true },
              30000 + (uint64_t)_i * 1000, 40);
}
END_TEST

CHECK_MAIN(promise, LOOP_CASE(jobs_of_lower_rank_change_no_plan, 4),
           LOOP_CASE(slices_and_the_order_of_the_list_change_no_plan, 4),
           LOOP_CASE(a_job_fares_as_a_question_about_it_was_answered, 4))
