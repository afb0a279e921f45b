/*
 * A pass over the queue: job by job, in order of rank, each gets its place. Where the policy has
 * places in the future only for some, the others are tried for a start now: as their rank comes, or
 * put off until all places are given, and then by turn.
 */
#include "ctld/sched/attempt.h"
#include "ctld/sched/state.h"

/* When enough have started ahead of their turn, the others may after so long. */
#define NEXT_PASS_MS 1000

#define KEPT_A_UNIT 16

/* ---- what is planned again ---- */

/* Jobs whose end has passed are on their way out: they are given a little longer. */
static void extend_overdue(struct planner *planner)
{
    planner->next_end_ms = PLAN_NEVER;
    for (uint32_t i = 0; i < planner->running_n; i++) {
        struct sched_job *job = planner->running[i];

        if (job->to <= planner->now_ms) {
            planner_lift(planner, 0);
            plan_unclaim(planner->plan, job);
            job->to = end_assumed(job->end_ms, planner->now_ms);
            plan_claim(planner->plan, job);
        }
        if (job->to < planner->next_end_ms && job->to < END_HORIZON)
            planner->next_end_ms = job->to;
    }
}

/* When time alone may change how the job stands. */
static int64_t wait_of(const struct planner *planner, const struct sched_job *job)
{
    const int64_t of_age = limits_of_age(&planner->limits, job, planner->now_ms);
    const struct plan_reservation *own = windows_find(&planner->plan->windows, job->reservation);
    int64_t wait = PLAN_NEVER;

    if ((job->claims || job->why == PLAN_WHY_BEGIN) && job->at_ms < END_HORIZON)
        wait = job->at_ms;
    for (uint32_t i = 0; i < job->options_n; i++) {
        const int64_t from = job->options[i].not_before;

        if (from > planner->now_ms && from < wait)
            wait = from;
    }
    if (job->why == PLAN_WHY_NOT_TRIED && !limits_let_backfill(&planner->limits))
        wait = planner->now_ms + NEXT_PASS_MS;
    if (own && own->from_ms > planner->now_ms && own->from_ms < wait)
        wait = own->from_ms;
    return of_age < wait ? of_age : wait;
}

static void wake_waiting(struct planner *planner)
{
    planner->next_wait_ms = PLAN_NEVER;
    for (uint32_t i = 0; i < planner->queue.n; i++) {
        const struct sched_job *job = planner->queue.by_rank[i];

        if (!job->tried)
            continue;
        if (job->wakes_ms <= planner->now_ms) {
            planner_lift(planner, i);
        } else if (job->wakes_ms < planner->next_wait_ms) {
            planner->next_wait_ms = job->wakes_ms;
        }
    }
}

static void count_again(struct planner *planner)
{
    plan_queue_reset(planner->plan);
    limits_reset(&planner->limits);
    for (uint32_t i = 0; i < planner->planned_n; i++) {
        plan_queued(planner->plan, planner->queue.by_rank[i]);
        if (!planner->queue.by_rank[i]->put_off)
            limits_count(&planner->limits, planner->queue.by_rank[i]);
    }
}

static bool has_turns(const struct planner *planner)
{
    return planner->queue.turn != PLAN_TURN_RANK;
}

/* What was put off in the last pass is tried, and counted, once more. */
static void begin_anew(struct planner *planner)
{
    queue_turn_to(&planner->queue, planner->now_ms);
    planner->limits.starts = 0;
    planner->queue_stale |= has_turns(planner);
}

void pass_begin(struct planner *planner)
{
    if (planner->next_end_ms <= planner->now_ms)
        extend_overdue(planner);
    if (planner->next_wait_ms <= planner->now_ms)
        wake_waiting(planner);
    if (!planner->passing)
        begin_anew(planner);
    if (planner->queue_stale)
        count_again(planner);
    planner->passing = true;
    planner->queue_stale = false;
}

/* ---- one job after the other ---- */

static bool is_by_rank(const struct planner *planner)
{
    return planner->planned_n < planner->queue.n;
}

bool pass_is_done(const struct planner *planner)
{
    return !is_by_rank(planner) && (!has_turns(planner) || planner->tried_n >= planner->queue.n);
}

static void tell(struct planner *planner, const struct sched_job *job)
{
    *ARRAY_PUSH(planner->decisions, planner->decisions_n) = plan_decision_of(planner->plan, job);
}

static int64_t latest_of(const struct planner *planner, const struct sched_job *job)
{
    const int64_t window_ms = planner->cluster.policy.window_ms;

    if (!limits_let_plan(&planner->limits, job, planner->now_ms))
        return planner->now_ms;
    return window_ms ? future_add(planner->now_ms, window_ms) : FUTURE_END;
}

/* False: the units were not enough. */
static bool try_job(struct planner *planner, struct sched_job *job, uint32_t *units,
                    struct plan_outcome *ret)
{
    const struct plan_bounds bounds = {
        .now_ms = planner->now_ms,
        .latest_ms = latest_of(planner, job),
    };

    if (!limits_let_try(&planner->limits, job)) {
        *units -= 1;
        *ret = plan_waits(job, PLAN_WHY_NOT_TRIED, PLAN_NEVER);
        return true;
    }
    if (!plan_try(planner->plan, job, &bounds, units, ret))
        return false;
    if (ret->verdict == PLAN_START && planner->cluster.policy.forecasts)
        ret->verdict = PLAN_LATER;
    if (ret->verdict == PLAN_START && ret->backfilled && !limits_let_backfill(&planner->limits)) {
        places_free(ret->places, ret->places_n);
        *ret = plan_waits(job, PLAN_WHY_NOT_TRIED, PLAN_NEVER);
    }
    return true;
}

static void start(struct planner *planner, struct sched_job *job)
{
    const uint32_t rank = queue_rank(&planner->queue, job);

    tell(planner, job);
    queue_remove(&planner->queue, rank);
    planner->planned_n -= rank < planner->planned_n;
    sched_job_drop_options(planner->kinds, job);
    planner_run(planner, job);
}

/* When the first moment that was too late to be planned comes within the window. */
static int64_t in_sight(const struct planner *planner, const struct plan_outcome *outcome)
{
    const int64_t window_ms = planner->cluster.policy.window_ms;

    if (window_ms == 0 || outcome->places_n || outcome->beyond_ms >= FUTURE_END ||
        outcome->beyond_ms - window_ms <= planner->now_ms)
        return PLAN_NEVER;
    return outcome->beyond_ms - window_ms;
}

static void stay(struct planner *planner, struct sched_job *job, int64_t in_sight_ms)
{
    if (job->verdict == PLAN_NEVER_FITS && !job->told_hopeless)
        tell(planner, job);
    job->told_hopeless = job->verdict == PLAN_NEVER_FITS;
    plan_queued(planner->plan, job);
    job->wakes_ms = wait_of(planner, job);
    if (in_sight_ms < job->wakes_ms)
        job->wakes_ms = in_sight_ms;
    if (job->wakes_ms < planner->next_wait_ms)
        planner->next_wait_ms = job->wakes_ms;
}

static bool is_place(const struct planner *planner, const struct sched_job *job,
                     const struct plan_outcome *outcome)
{
    return job->from == outcome->at_ms &&
           places_equal(&planner->cluster, job->places, job->places_n, outcome->places,
                        outcome->places_n);
}

/* The job is planned: it runs from now on, or those behind it plan around it. */
static void settle(struct planner *planner, struct sched_job *job,
                   const struct plan_outcome *outcome)
{
    const int64_t in_sight_ms = in_sight(planner, outcome);

    if (job->was_planned && (outcome->verdict == PLAN_START || !is_place(planner, job, outcome)))
        keeper_freed(&planner->keeper, job);
    job->was_planned = false;
    plan_outcome_give(job, outcome, planner->now_ms);
    plan_claim(planner->plan, job);
    limits_count(&planner->limits, job);
    if (job->runs)
        start(planner, job);
    else
        stay(planner, job, in_sight_ms);
}

/* The next by turn of those that were put off. */
static bool next_by_turn(struct planner *planner, uint32_t *units)
{
    struct sched_job *job = planner->queue.by_turn[planner->tried_n];
    struct plan_outcome outcome;

    if (job->put_off) {
        if (!try_job(planner, job, units, &outcome))
            return false;
        settle(planner, job, &outcome);
    }
    planner->tried_n += !job->runs;
    return true;
}

/* True: the job stays where it was planned, and that is settled. */
static bool keep(struct planner *planner, struct sched_job *job, uint32_t *units)
{
    if (!limits_let_try(&planner->limits, job) || job->from > latest_of(planner, job) ||
        !keeper_keeps(&planner->keeper, planner->plan, job, planner->now_ms))
        return false;
    plan_keep(planner->plan, job, planner->now_ms);
    job->was_planned = false;
    limits_count(&planner->limits, job);
    stay(planner, job, PLAN_NEVER);
    *units -= planner->kept_n++ % KEPT_A_UNIT == 0;
    return true;
}

/* It is not planned any more: others may be where it was. */
static void lose_place(struct planner *planner, struct sched_job *job)
{
    if (job->was_planned)
        keeper_freed(&planner->keeper, job);
    job->was_planned = false;
}

static bool next_by_rank(struct planner *planner, uint32_t *units)
{
    struct sched_job *job = planner->queue.by_rank[planner->planned_n];
    struct plan_outcome outcome;

    job->put_off = has_turns(planner) && !limits_let_plan(&planner->limits, job, planner->now_ms);
    planner->tried_n = 0;
    if (job->put_off) {
        lose_place(planner, job);
    } else if (!keep(planner, job, units)) {
        if (!try_job(planner, job, units, &outcome))
            return false;
        settle(planner, job, &outcome);
    }
    planner->planned_n += !job->runs;
    return true;
}

bool pass_next(struct planner *planner, uint32_t *units)
{
    return is_by_rank(planner) ? next_by_rank(planner, units) : next_by_turn(planner, units);
}
