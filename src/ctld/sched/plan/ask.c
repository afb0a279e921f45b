#include "ctld/sched/plan/blockers.h"
#include "ctld/sched/plan/state.h"

/* A question waits until at most this many jobs before it are planned; where more are not planned
 * yet, it does not wait. */
#define AWAITED_MAX 64

/* A question stops waiting after this many units, since others may be planned again and again.
 * Planning 10,000 jobs takes some 30,000 units. */
#define PATIENCE_UNITS 100000

/* ---- answers ---- */

void answer_clear(struct answer *answer)
{
    plan_places_free(answer->decision.places, answer->decision.places_n);
    *answer = (struct answer){ 0 };
}

/* Adds as blockers jobs that run, then those that come before the job. Returns the new number of
 * blockers. */
static uint32_t add_pool_holders(const struct planner *planner, const struct sched_job *job,
                                 uint64_t *ids, uint32_t n)
{
    const uint32_t rank = queue_rank(&planner->queue, job);

    n = blockers_in_pool(planner->plan, job, planner->running, planner->running_n, ids, n);
    return blockers_in_pool(planner->plan, job, planner->queue.by_rank, rank, ids, n);
}

/* Fills in what is told about a job, from where the plan puts it. */
static void fill_answer(const struct planner *planner, const struct sched_job *job,
                        struct answer *answer)
{
    answer_clear(answer);
    answer->decision = plan_decision_of(planner->plan, job);
    if (job->verdict == PLAN_START)
        return;
    answer->decision.blockers = answer->blockers;
    answer->decision.blockers_n =
        blockers_on_nodes(planner->plan, job, planner->now_ms, answer->blockers);
    answer->decision.lacks = blockers_lacking(planner->plan, job, planner->now_ms);
    if (job->verdict != PLAN_NEVER_FITS) /* else nobody's end would help */
        answer->decision.blockers_n =
            add_pool_holders(planner, job, answer->blockers, answer->decision.blockers_n);
}

bool planner_look(const struct planner *planner, uint64_t job_id, struct plan_decision *ret)
{
    const struct sched_job *job = planner_find(planner, job_id);

    if (!job || job->runs || !job->tried)
        return false;
    fill_answer(planner, job, planner->answer);
    *ret = planner->answer->decision;
    return true;
}

void planner_kept_nodes(const struct planner *planner, int64_t length_ms, bool of_maint,
                        struct bitset *ret)
{
    windows_kept(&planner->plan->windows, planner->now_ms, length_planned(length_ms),
                 of_maint ? PLAN_RESV_MAINT : ~0u, ret);
}

bool planner_fits_ever(const struct planner *planner, const struct plan_job *from)
{
    struct sched_job *job;
    bool fits;

    if (!planner_has_partition(planner, from))
        return false;
    job = sched_job_new(&planner->cluster, planner->kinds, planner->pools, from);
    fits = plan_fits_ever(planner->plan, job);
    sched_job_free(planner->kinds, planner->pools, job);
    return fits;
}

/* ---- a question ---- */

static struct sched_job *asked_job(struct planner *planner, const struct plan_job *from)
{
    struct sched_job *job = sched_job_new(&planner->cluster, planner->kinds, planner->pools, from);

    for (uint32_t i = 0; i < job->options_n; i++) {
        if (job->options[i].not_before < job->earliest_ms)
            job->options[i].not_before = job->earliest_ms;
    }
    job->earliest_ms = INT64_MIN;
    return job;
}

/* Returns whether at most AWAITED_MAX jobs before the rank are still to be looked at for the first
 * time. */
static bool is_worth_waiting(const struct planner *planner, uint32_t rank)
{
    uint32_t untried_n = 0;

    for (uint32_t i = pass_settled_n(planner); i < rank && untried_n <= AWAITED_MAX; i++)
        untried_n += !planner->queue.by_rank[i]->tried;
    return untried_n <= AWAITED_MAX;
}

void planner_ask(struct planner *planner, int64_t now_ms, const struct plan_job *from)
{
    struct question *question = &planner->question;

    planner_forget_question(planner);
    if (now_ms > planner->now_ms)
        planner->now_ms = now_ms;
    question->answer.decision =
        (struct plan_decision){ .job_id = from->id, .verdict = PLAN_NEVER_FITS };
    question->answered = !planner_has_partition(planner, from);
    if (question->answered)
        return;
    question->job = asked_job(planner, from);
    planner_watch_pools(planner);
    if (is_worth_waiting(planner, queue_rank(&planner->queue, question->job)))
        question->patience = PATIENCE_UNITS;
}

bool planner_answer(const struct planner *planner, struct plan_decision *ret)
{
    if (planner->question.answered)
        *ret = planner->question.answer.decision;
    return planner->question.answered;
}

void planner_forget_question(struct planner *planner)
{
    struct question *question = &planner->question;

    if (question->job) {
        plan_forget(planner->plan); /* its search, perhaps */
        sched_job_free(planner->kinds, planner->pools, question->job);
    }
    answer_clear(&question->answer);
    *question = (struct question){ 0 };
}

bool question_is_open(const struct planner *planner)
{
    return planner->question.job && !planner->question.answered;
}

bool question_hurries(const struct planner *planner)
{
    const struct question *question = &planner->question;

    return question_is_open(planner) && (question->begun || question->patience == 0);
}

/* Returns whether the jobs before the question are planned as they will be. Before it has begun,
 * those that were put off must have had their turn. */
static bool is_settled(const struct planner *planner)
{
    const struct question *question = &planner->question;

    if (!pass_is_by_rank(planner))
        return question->begun || planner->turns.turn == PLAN_TURN_RANK ||
               (planner->round_begun && planner->round_done);
    return (question->begun || planner->turns.turn == PLAN_TURN_RANK) &&
           planner->planned_n >= queue_rank(&planner->queue, question->job);
}

bool question_is_due(const struct planner *planner)
{
    return question_is_open(planner) && (planner->question.patience == 0 || is_settled(planner));
}

void question_wait(struct planner *planner, uint32_t units)
{
    struct question *question = &planner->question;

    question->patience -= units < question->patience ? units : question->patience;
}

/* Returns whether jobs behind the rank are in the plan. Where nothing is in line behind it, none
 * is. */
static bool is_behind(const struct planner *planner, uint32_t rank)
{
    if (planner->planned_n <= rank)
        return false;
    return planner->turns.turn == PLAN_TURN_RANK || !planner->cluster.policy.backfill ||
           planner_in_line_n(planner, planner->planned_n) > planner_in_line_n(planner, rank);
}

/* Keeps the outcome as the answer. The job claims nothing, so that nothing has to be taken back. */
static void settle(struct planner *planner, const struct plan_outcome *outcome)
{
    struct question *question = &planner->question;
    struct sched_job *job = question->job;

    plan_outcome_give(job, outcome, question->now_ms);
    job->alone = plan_user_of(planner->plan, job, job->partition).alone;
    job->claims = job->places_n > 0; /* as those see it who tell what is in its way */
    fill_answer(planner, job, &question->answer);
    job->claims = false;
    question->answered = true;
}

static bool search(struct planner *planner, uint32_t *units)
{
    struct question *question = &planner->question;
    const struct plan_attempt *attempt = &planner->plan->attempt;
    struct plan_bounds bounds = { .latest_ms = FUTURE_END };
    struct plan_outcome outcome;

    if (!attempt->begun || attempt->job_id != question->job->id)
        question->now_ms = planner->now_ms;
    bounds.now_ms = question->now_ms; /* a later one would begin the search anew */
    if (!plan_try(planner->plan, question->job, &bounds, units, &outcome))
        return false;
    if (outcome.is_blocked &&
        limits_let_wait_in_pool(&planner->limits, question->job, bounds.now_ms))
        plan_wait_in_pool(planner->plan, question->job, bounds.now_ms, &outcome);
    settle(planner, &outcome);
    return true;
}

bool question_next(struct planner *planner, uint32_t *units)
{
    const uint32_t rank = queue_rank(&planner->queue, planner->question.job);

    planner->question.begun = true;
    if (!is_behind(planner, rank))
        return search(planner, units);
    /* While plans are to be taken back for a change, the question waits: they are made again
     * first. */
    if (planner->parking == 0 && planner->lift_to >= planner->planned_n)
        planner->parking = ++planner->parkings_n;
    planner_lift(planner, rank);
    return true;
}

bool planner_ponder(struct planner *planner, int64_t now_ms, uint32_t units)
{
    if (now_ms > planner->now_ms)
        planner->now_ms = now_ms;
    planner->question.patience = 0;
    while (units > 0 && question_is_open(planner) && pass_next_question(planner, &units))
        ;
    return question_is_open(planner);
}
