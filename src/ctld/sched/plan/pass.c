/*
 * A pass over the queue: what changed is taken back, then each job gets its place, in order of
 * rank. Where the policy has places in the future only for some, the others are tried for a start
 * now: as their rank comes, or put off until all places are given, and then by turn (round.c).
 */
#include "ctld/sched/plan/state.h"

#define CHEAP_A_UNIT 16

/* When more plans than this are taken back, what was learned about nodes is not worth correcting.
 * Where they are only parked it is of use again afterwards. */
#define MANY_LIFTED 64
#define MANY_PARKED 1024

static bool has_turns(const struct planner *planner)
{
    return planner->turns.turn != PLAN_TURN_RANK;
}

/* Returns the jobs that are planned, before the rank, and not put off; their number in *n. */
static struct sched_job *const *in_line(const struct planner *planner, uint32_t rank,
                                        uint32_t *ret_n)
{
    *ret_n = has_turns(planner) ? planner_in_line_n(planner, rank) : rank;
    return has_turns(planner) ? planner->in_line.by_rank : planner->queue.by_rank;
}

void pass_count_lines(const struct planner *planner, uint32_t rank)
{
    uint32_t n;
    struct sched_job *const *jobs = in_line(planner, rank, &n);

    plan_queue_reset(planner->plan);
    for (uint32_t i = 0; i < n && !plan_lines_are_known(planner->plan); i++)
        plan_queued(planner->plan, jobs[i]);
}

/* Returns whether running jobs hold other amounts of pools than when those in line were counted,
 * where that matters. */
static bool has_other_holders(const struct planner *planner)
{
    return planner->held_counted != planner->pools->held_n &&
           (planner->cluster.policy.plans_max > 0 || planner->pools->privates_n > 0);
}

/* Returns whether it must be found out again which places count for what. */
static bool is_miscounted(const struct planner *planner)
{
    return planner->queue_stale || planner->retries_narrowed || has_other_holders(planner);
}

/* Returns whether a planned job that has nodes may not start now any more. Its own claim, which may
 * be all that is short, is taken out for a second look. */
static bool is_blocked(const struct planner *planner, const struct sched_job *job)
{
    bool blocked;

    if (!job->claims || job->in_pool || !plan_is_blocked(planner->plan, job, planner->now_ms))
        return false;
    claims_give(planner->pools, job->list, plan_claim_time(job));
    blocked = plan_is_blocked(planner->plan, job, planner->now_ms);
    claims_take(planner->pools, job->list, plan_claim_time(job));
    return blocked;
}

/* Lifts the plans from the first job on that now waits for another pool, or for none: places may go
 * to others. */
static void lift_regrouped(struct planner *planner)
{
    const struct sched_job *put_off = limits_first_regrouped(&planner->limits);
    uint32_t n;
    struct sched_job *const *jobs = in_line(planner, planner->planned_n, &n);

    if (put_off)
        planner_lift(planner, queue_rank(&planner->queue, put_off));
    for (uint32_t i = 0; i < n; i++) {
        if (!limits_are_regrouped(&planner->limits, jobs[i]) && !is_blocked(planner, jobs[i]))
            continue;
        planner_lift(planner, queue_rank(&planner->queue, jobs[i]));
        return;
    }
}

/* Lifts the plans from the first job on that was narrowed: of the nodes that are left it may find
 * those that it is let have. Who was put off has another turn. */
static void lift_narrowed(struct planner *planner)
{
    uint32_t n;
    struct sched_job *const *jobs = in_line(planner, planner->planned_n, &n);

    planner->retries_narrowed = false;
    planner->round_begun = false;
    for (uint32_t i = 0; i < n; i++) {
        if (!jobs[i]->was_narrowed)
            continue;
        planner_lift(planner, queue_rank(&planner->queue, jobs[i]));
        return;
    }
}

static void count_again(struct planner *planner)
{
    uint32_t n;
    struct sched_job *const *jobs = in_line(planner, planner->planned_n, &n);

    if (planner->retries_narrowed)
        lift_narrowed(planner);
    if (has_other_holders(planner))
        lift_regrouped(planner);
    planner->held_counted = planner->pools->held_n;
    pass_count_lines(planner, planner->planned_n);
    limits_reset(&planner->limits);
    for (uint32_t i = 0; i < n && limits_are_set(&planner->limits); i++)
        limits_count(&planner->limits, jobs[i]);
    planner->queue_stale = false;
}

void pass_begin(struct planner *planner)
{
    wake_by_time(planner);
    if (!planner->passing) { /* what was put off in the last pass is tried, and counted, again */
        planner->limits.starts = 0;
        planner->round_begun = false;
        planner->queue_stale |= has_turns(planner);
    }
    planner->passing = true;
}

void pass_spend_little(struct planner *planner, uint32_t *units)
{
    *units -= planner->cheap_n++ % CHEAP_A_UNIT == 0;
}

/* Counts what it costs to take places, or to give them back, which is little for each. */
static void spend_on_places(struct planner *planner, const struct sched_job *job, uint32_t *units)
{
    for (uint32_t i = 0; i <= job->places_n && *units > 0; i++)
        pass_spend_little(planner, units);
}

/* Counts more for a job that is parked: who asks keeps others waiting, so slices are to be shorter,
 * at the price of more of them. */
static void spend_on_parking(struct planner *planner, const struct sched_job *job, uint32_t *units)
{
    spend_on_places(planner, job, units);
    spend_on_places(planner, job, units);
}

/* ---- taking back ---- */

/* Returns whether the jobs not yet planned are put off, and stay so. */
static bool rest_is_put_off(const struct planner *planner)
{
    return has_turns(planner) && !planner->scans_all && planner->unsettled_n == 0 &&
           limits_are_given(&planner->limits);
}

bool pass_is_by_rank(const struct planner *planner)
{
    return planner->planned_n < planner->queue.n && !rest_is_put_off(planner);
}

/*
 * Returns whether plans are to be taken back now. A forecast is first made to its end: else, where
 * much happens, it would never come to the last jobs. Starts cannot wait so.
 */
static bool must_lift(const struct planner *planner)
{
    return planner->lift_to < planner->planned_n &&
           (question_hurries(planner) ||
            !(planner->cluster.policy.forecasts && planner->scanning && pass_is_by_rank(planner)));
}

/* Returns the rank of the last planned job that is not put off, if it is from lift_to on, else
 * lift_to. */
static uint32_t last_to_lift(const struct planner *planner)
{
    uint32_t n, rank;
    struct sched_job *const *jobs = in_line(planner, planner->planned_n, &n);

    if (!has_turns(planner))
        return planner->planned_n - 1;
    rank = n ? queue_rank(&planner->queue, jobs[n - 1]) : 0;
    return rank > planner->lift_to ? rank : planner->lift_to;
}

static void lift_last(struct planner *planner, uint32_t *units)
{
    const uint32_t rank = last_to_lift(planner);
    struct sched_job *job = planner->queue.by_rank[rank];

    planner->planned_n = rank;
    planner->scanning = false;
    planner->queue_stale = true;
    planner->round_begun = false;
    planner->unsettled_n += !job->put_off;
    job->parked = planner->parking;
    if (job->claims) {
        job->was_planned = true;
        if (++planner->lifted_n == (job->parked ? MANY_PARKED : MANY_LIFTED))
            plan_forget_moments(planner->plan);
        if (job->parked)
            plan_park(planner->plan, job);
        else
            plan_unclaim(planner->plan, job);
    }
    if (planner->planned_n == planner->lift_to) {
        planner->lift_to = UINT32_MAX;
        planner->lifted_n = 0;
    }
    if (job->parked)
        spend_on_parking(planner, job, units);
    else
        spend_on_places(planner, job, units);
}

uint32_t pass_settled_n(const struct planner *planner)
{
    if (planner->lift_to < planner->planned_n)
        return planner->lift_to;
    return pass_is_by_rank(planner) ? planner->planned_n : planner->queue.n;
}

/* ---- one job after the other ---- */

bool pass_is_done(const struct planner *planner)
{
    if (planner->lift_to < planner->planned_n || is_miscounted(planner) ||
        pass_is_by_rank(planner) || question_is_open(planner))
        return false;
    return !has_turns(planner) || (planner->round_begun && planner->round_done);
}

static void tell(struct planner *planner, const struct sched_job *job)
{
    *ARRAY_PUSH(planner->decisions, planner->decisions_n) = plan_decision_of(planner->plan, job);
}

static int64_t latest_of(struct planner *planner, const struct sched_job *job)
{
    const int64_t window_ms = planner->cluster.policy.window_ms;

    if (!limits_let_plan(&planner->limits, job, planner->now_ms))
        return planner->now_ms;
    return window_ms ? future_add(planner->now_ms, window_ms) : FUTURE_END;
}

/* Returns whether a start that nobody was promised would take a place in the future from a job
 * before it. */
static bool takes_place(struct planner *planner, const struct sched_job *job,
                        const struct plan_outcome *outcome)
{
    uint32_t n;
    struct sched_job *const *jobs = in_line(planner, planner->planned_n, &n);

    if (outcome->verdict != PLAN_START || !claims_are_watched(planner->pools, outcome->list) ||
        planner->cluster.policy.plans_max == 0 || (job->tried && job->verdict == PLAN_LATER))
        return false;
    for (uint32_t i = 0; i < n && sched_job_compare(jobs[i], job) < 0; i++) {
        if (limits_would_lose(&planner->limits, jobs[i], outcome->list, outcome->length_ms))
            return true;
    }
    return false;
}

/* Turns a start that may not be into an outcome that waits. */
static void put_back_start(struct sched_job *job, enum plan_why why, struct plan_outcome *ret)
{
    places_free(ret->places, ret->places_n);
    *ret = plan_waits(job, why, PLAN_NEVER);
}

bool pass_try(struct planner *planner, struct sched_job *job, uint32_t *units,
              struct plan_outcome *ret)
{
    const struct plan_bounds bounds = {
        .now_ms = planner->now_ms,
        .latest_ms = job->put_off ? planner->now_ms : latest_of(planner, job),
        .put_off = job->put_off,
    };

    if (!limits_let_try(&planner->limits, job)) {
        *units -= 1;
        *ret = plan_waits(job, PLAN_WHY_NOT_TRIED, PLAN_NEVER);
        return true;
    }
    if (!plan_try(planner->plan, job, &bounds, units, ret))
        return false;
    if (ret->is_blocked && limits_let_wait_in_pool(&planner->limits, job, planner->now_ms))
        plan_wait_in_pool(planner->plan, job, planner->now_ms, ret);
    if (ret->verdict == PLAN_START && planner->cluster.policy.forecasts)
        ret->verdict = PLAN_LATER;
    if (ret->verdict == PLAN_START && ret->backfilled && !limits_let_backfill(&planner->limits))
        put_back_start(job, PLAN_WHY_NOT_TRIED, ret);
    else if (takes_place(planner, job, ret))
        put_back_start(job, PLAN_WHY_POOL, ret);
    return true;
}

static void start(struct planner *planner, struct sched_job *job)
{
    tell(planner, job);
    planner_leave_queue(planner, job);
    planner->retries_narrowed |= planner->narrowed_n > 0;
    sched_job_drop_options(planner->kinds, planner->pools, job);
    planner_run(planner, job);
}

/* Returns when the first moment that was too late to be planned comes within the window, or
 * PLAN_NEVER. */
static int64_t in_sight(const struct planner *planner, const struct plan_outcome *outcome)
{
    const int64_t window_ms = planner->cluster.policy.window_ms;

    if (window_ms == 0 || outcome->places_n || outcome->beyond_ms >= FUTURE_END ||
        outcome->beyond_ms - window_ms <= planner->now_ms)
        return PLAN_NEVER;
    return outcome->beyond_ms - window_ms;
}

/* Tells the plan that the job waits: those behind it may not be told the same as it was. */
static void stand_in_queue(struct planner *planner, const struct sched_job *job)
{
    if (!job->put_off || !planner->cluster.policy.backfill)
        plan_queued(planner->plan, job);
}

static void stay(struct planner *planner, struct sched_job *job, int64_t in_sight_ms)
{
    if (job->verdict == PLAN_NEVER_FITS && !job->told_hopeless)
        tell(planner, job);
    job->told_hopeless = job->verdict == PLAN_NEVER_FITS;
    stand_in_queue(planner, job);
    if (job->put_off)
        turns_settle(&planner->turns, job);
    wake_note(planner, job, in_sight_ms);
}

static bool is_place(const struct planner *planner, const struct sched_job *job,
                     const struct plan_outcome *outcome)
{
    return job->from == outcome->at_ms && job->in_pool == outcome->in_pool &&
           places_equal(&planner->cluster, job->places, job->places_n, outcome->places,
                        outcome->places_n);
}

void pass_settle(struct planner *planner, struct sched_job *job, const struct plan_outcome *outcome)
{
    const int64_t in_sight_ms = in_sight(planner, outcome);

    if (job->was_planned && (outcome->verdict == PLAN_START || !is_place(planner, job, outcome)))
        keeper_freed(&planner->keeper, planner->plan, job);
    job->was_planned = false;
    plan_unclaim(planner->plan, job); /* it may be parked */
    planner->narrowed_n += (uint32_t)outcome->was_narrowed - job->was_narrowed;
    plan_outcome_give(job, outcome, planner->now_ms);
    plan_claim(planner->plan, job);
    limits_count(&planner->limits, job);
    if (job->runs)
        start(planner, job);
    else
        stay(planner, job, in_sight_ms);
}

/* Puts back a job that was parked, if nothing has changed since; returns whether it did. */
static bool put_back(struct planner *planner, struct sched_job *job, uint32_t *units)
{
    if (job->parked == 0 || job->parked != planner->parking)
        return false;
    job->parked = 0;
    if (job->was_planned)
        plan_claim(planner->plan, job);
    job->was_planned = false;
    limits_count(&planner->limits, job);
    stand_in_queue(planner, job);
    spend_on_parking(planner, job, units);
    return true;
}

/* Keeps the job where it was planned, if it may stay there; returns whether that is settled. */
static bool keep(struct planner *planner, struct sched_job *job, uint32_t *units)
{
    if (!limits_let_try(&planner->limits, job) || job->from > latest_of(planner, job) ||
        !keeper_keeps(&planner->keeper, planner->plan, job, planner->now_ms))
        return false;
    plan_keep(planner->plan, job, planner->now_ms);
    job->was_planned = false;
    limits_count(&planner->limits, job);
    stay(planner, job, PLAN_NEVER);
    spend_on_places(planner, job, units);
    return true;
}

/* Notes that the job is not planned any more: others may go where it was. */
static void lose_place(struct planner *planner, struct sched_job *job)
{
    if (job->was_planned)
        keeper_freed(&planner->keeper, planner->plan, job);
    job->was_planned = false;
}

static void decide_turn(struct planner *planner, struct sched_job *job)
{
    const bool put_off =
        has_turns(planner) && !limits_let_plan(&planner->limits, job, planner->now_ms);

    planner->unsettled_n += (uint32_t)job->put_off - put_off;
    planner_put_off(planner, job, put_off);
}

/* Moves on to the next job that was not put off, or that need not be any more. */
static void skip_put_off(struct planner *planner)
{
    const struct sched_job *from = planner->queue.by_rank[planner->planned_n];
    const uint32_t n = planner_in_line_n(planner, planner->planned_n);
    const struct sched_job *next = limits_first_open(&planner->limits, from);

    if (n < planner->in_line.n &&
        (!next || sched_job_compare(planner->in_line.by_rank[n], next) < 0))
        next = planner->in_line.by_rank[n];
    planner->planned_n = next ? queue_rank(&planner->queue, next) : planner->queue.n;
}

static bool next_by_rank(struct planner *planner, uint32_t *units)
{
    struct sched_job *job;
    struct plan_outcome outcome;

    if (has_turns(planner) && !planner->scans_all)
        skip_put_off(planner);
    if (planner->planned_n == planner->queue.n)
        return true;
    job = planner->queue.by_rank[planner->planned_n];

    planner->scanning = true;
    planner->round_begun = false;
    decide_turn(planner, job);
    if (job->put_off) {
        lose_place(planner, job);
        pass_spend_little(planner, units);
    } else if (!put_back(planner, job, units) && !keep(planner, job, units)) {
        if (!pass_try(planner, job, units, &outcome))
            return false;
        pass_settle(planner, job, &outcome);
    }
    if (!job->runs) {
        planner->planned_n++;
        planner->unsettled_n -= !job->put_off;
    }
    if (planner->planned_n == planner->queue.n)
        planner->scans_all = false;
    return true;
}

bool pass_next(struct planner *planner, uint32_t *units)
{
    if (must_lift(planner))
        lift_last(planner, units);
    else if (is_miscounted(planner))
        count_again(planner);
    else if (question_is_due(planner))
        return question_next(planner, units);
    else if (pass_is_by_rank(planner))
        return next_by_rank(planner, units);
    else
        return round_next(planner, units);
    return true;
}

bool pass_next_question(struct planner *planner, uint32_t *units)
{
    if (must_lift(planner))
        lift_last(planner, units);
    else if (is_miscounted(planner))
        count_again(planner);
    else
        return question_next(planner, units);
    return true;
}
