/* Marks the plans that time alone changes to be made again, and notes when it next may. */
#include "common/base/minmax.h"
#include "ctld/sched/plan/state.h"

/* When enough jobs have started ahead of their turn, the others may after this long. */
#define NEXT_PASS_MS 1000

/* Moves the ends of running jobs that have passed: such jobs are on their way out and are given a
 * little longer. */
static void extend_overdue(struct planner *planner)
{
    planner->next_end_ms = PLAN_NEVER;
    for (uint32_t i = 0; i < planner->running_n; i++) {
        struct sched_job *job = planner->running[i];

        if (job->to <= planner->now_ms)
            planner_extend(planner, job);
        if (job->to < planner->next_end_ms && job->to < END_HORIZON)
            planner->next_end_ms = job->to;
    }
}

/*
 * Returns when the end of a window may change how the job stands. It gives nodes back, which a
 * place in the future counts on already. But a job may have no place, or one at a moment that was
 * rounded up, or a part of its time may fit in behind the window.
 */
static int64_t window_wait_of(struct planner *planner, const struct sched_job *job)
{
    if (job->claims && job->duration_min_ms == 0 && planner->cluster.policy.resolution_ms <= 1)
        return PLAN_NEVER;
    return windows_next_end(&planner->plan->windows, planner->now_ms);
}

/* Returns when the reservation opens next, or PLAN_NEVER. */
static int64_t opens_next(const struct planner *planner, uint32_t reservation)
{
    const int64_t at = windows_open_at(&planner->plan->windows, reservation, planner->now_ms);

    return at > planner->now_ms ? at : PLAN_NEVER;
}

/* Returns when time alone may change how the job stands. */
static int64_t wait_of(struct planner *planner, const struct sched_job *job)
{
    const int64_t of_age = limits_of_age(&planner->limits, job, planner->now_ms);
    const int64_t window_end = window_wait_of(planner, job);
    int64_t wait = PLAN_NEVER;

    if ((job->claims || job->why == PLAN_WHY_BEGIN) && job->at_ms < END_HORIZON)
        wait = job->at_ms;
    for (uint32_t i = 0; i < job->options_n; i++) {
        const struct sched_option *option = &job->options[i];
        const int64_t from = option->not_before;

        if (from > planner->now_ms && from < wait)
            wait = from;
        if (option->reservation) {
            const int64_t opens = opens_next(planner, option->reservation);

            wait = MIN(wait, opens);
        }
    }
    if (job->why == PLAN_WHY_NOT_TRIED && !limits_let_backfill(&planner->limits))
        wait = planner->now_ms + NEXT_PASS_MS;
    if (window_end < wait)
        wait = window_end;
    if (job->unblocks_ms < wait && job->unblocks_ms < END_HORIZON)
        wait = job->unblocks_ms;
    return of_age < wait ? of_age : wait;
}

/* Marks the job to be planned again. If it was put off it may be of age for a place in the future,
 * or may come of age before the pass has come to it again. */
static void wake(struct planner *planner, struct sched_job *job, uint32_t rank)
{
    const int64_t of_age_ms = limits_of_age(&planner->limits, job, planner->now_ms);

    if (of_age_ms < planner->next_age_ms)
        planner->next_age_ms = of_age_ms;
    planner_lift(planner, rank);
    if (!job->put_off)
        return;
    turns_doubt(&planner->turns, job);
    planner->scans_all = true;
}

static void wake_waiting(struct planner *planner)
{
    planner->next_wait_ms = PLAN_NEVER;
    for (uint32_t i = 0; i < planner->queue.n; i++) {
        struct sched_job *job = planner->queue.by_rank[i];

        if (!job->tried)
            continue;
        if (job->wakes_ms <= planner->now_ms) {
            wake(planner, job, i);
        } else if (job->wakes_ms < planner->next_wait_ms) {
            planner->next_wait_ms = job->wakes_ms;
        }
    }
}

/* Marks all to be planned again, since some jobs that no pass has come to are of age: they may be
 * before any of those that wait. */
static void wake_untried(struct planner *planner)
{
    const struct turns *turns = &planner->turns;

    planner_lift(planner, 0);
    planner->scans_all = true;
    planner->next_age_ms = PLAN_NEVER;
    for (uint32_t i = 0; i < turns->untried_n; i++) {
        const int64_t of_age_ms =
            limits_of_age(&planner->limits, turns->untried[i], planner->now_ms);

        if (of_age_ms < planner->next_age_ms)
            planner->next_age_ms = of_age_ms;
    }
}

static bool is_due(const struct planner *planner)
{
    return planner->next_end_ms <= planner->now_ms || planner->next_wait_ms <= planner->now_ms ||
           planner->next_age_ms <= planner->now_ms ||
           pools_next_ms(planner->pools) <= planner->now_ms;
}

void wake_by_time(struct planner *planner)
{
    if (is_due(planner))
        planner->parking = 0;
    if (planner->next_end_ms <= planner->now_ms)
        extend_overdue(planner);
    if (planner->next_wait_ms <= planner->now_ms)
        wake_waiting(planner);
    if (planner->next_age_ms <= planner->now_ms)
        wake_untried(planner);
    if (pools_pass_time(planner->pools, planner->now_ms))
        planner_lift(planner, 0);
    if (planner->next_fall_ms <= planner->now_ms)
        planner->round_begun = false;
}

void wake_note(struct planner *planner, struct sched_job *job, int64_t in_sight_ms)
{
    job->wakes_ms = wait_of(planner, job);
    if (in_sight_ms < job->wakes_ms)
        job->wakes_ms = in_sight_ms;
    if (job->wakes_ms < planner->next_wait_ms)
        planner->next_wait_ms = job->wakes_ms;
}
