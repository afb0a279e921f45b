#include "ctld/sched/plan/judge.h"

/* Returns why the job waits, if its own window is not open yet or if it waits for that of others to
 * close, which those that float never do; else PLAN_WHY_NONE. */
static enum plan_why window_waited_for(const struct plan *plan, const struct plan_outcome *outcome,
                                       int64_t now_ms)
{
    if (outcome->reservation &&
        (windows_open_at(&plan->windows, outcome->reservation, now_ms) > now_ms ||
         outcome->at_ms >= FUTURE_END))
        return PLAN_WHY_RESERVATION;
    if (outcome->at_ms >= FUTURE_END && plan->windows.floating_n)
        return PLAN_WHY_RESERVATION;
    for (uint32_t i = 0; i < outcome->places_n; i++) {
        const struct window *window = windows_end_at(&plan->windows, outcome->places[i].node,
                                                     outcome->reservation, outcome->at_ms);

        if (window)
            return window->flags & PLAN_RESV_ABSENT ? PLAN_WHY_NODES_DOWN : PLAN_WHY_RESERVATION;
    }
    return PLAN_WHY_NONE;
}

/* Returns why the job does not start now. `outcome` comes without a pool and gets it where that is
 * the reason. */
static enum plan_why why_later(const struct plan *plan, const struct sched_job *job,
                               struct plan_outcome *outcome, int64_t now_ms)
{
    const enum plan_why window = window_waited_for(plan, outcome, now_ms);

    if (outcome->reservation &&
        windows_open_at(&plan->windows, outcome->reservation, now_ms) > now_ms)
        return PLAN_WHY_RESERVATION; /* maybe for ever: then it stands in nobody's way */
    outcome->pool = claims_short(plan->pools, outcome->list, POOLS_ALL, now_ms,
                                 plan_length_at(plan, job, outcome->reservation, now_ms), NULL);
    if (outcome->pool == POOL_NONE)
        outcome->pool = outcome->narrowed;
    if (outcome->pool != POOL_NONE)
        return PLAN_WHY_POOL;
    if (window != PLAN_WHY_NONE)
        return window;
    return plan->lines[outcome->partition].has_first ? PLAN_WHY_PRIORITY : PLAN_WHY_RESOURCES;
}

/* Returns whether a job that private pools block stands in the way of those behind it. */
static bool stops_others(const struct plan *plan)
{
    return plan->cluster->policy.limits_stop && !plan->cluster->policy.backfill;
}

void judge_waiting(const struct plan *plan, const struct sched_job *job, int64_t now_ms,
                   struct plan_outcome *outcome)
{
    outcome->why = why_later(plan, job, outcome, now_ms);
    /* Pools are told first, but something of them may be taken by a start behind the job, which
     * moves no plan: so whether the job waits for its turn must not change with them. A job that
     * private pools block is in nobody's way, unless the policy says so. */
    outcome->in_line = (!outcome->is_blocked || stops_others(plan)) &&
                       window_waited_for(plan, outcome, now_ms) == PLAN_WHY_NONE;
}

void judge_outcome(const struct plan *plan, const struct sched_job *job, int64_t now_ms,
                   struct plan_outcome *outcome)
{
    if (outcome->at_ms <= now_ms) {
        outcome->verdict = PLAN_START;
        outcome->why = PLAN_WHY_NONE;
        outcome->backfilled = plan->lines[outcome->partition].blocked;
        return;
    }
    outcome->verdict = outcome->at_ms < END_HORIZON ? PLAN_LATER : PLAN_WAITS;
    judge_waiting(plan, job, now_ms, outcome);
}
