#include "ctld/sched/planner.h"

#include "ctld/sched/plan/state.h"

struct planner *planner_new(void)
{
    struct planner *planner = xcalloc(1, sizeof(*planner));

    planner->kinds = xcalloc(1, sizeof(*planner->kinds));
    planner->pools = xcalloc(1, sizeof(*planner->pools));
    planner->answer = xcalloc(1, sizeof(*planner->answer));
    planner->next_end_ms = PLAN_NEVER;
    planner->next_wait_ms = planner->next_age_ms = planner->next_fall_ms = PLAN_NEVER;
    return planner;
}

static void forget_decisions(struct planner *planner)
{
    for (uint32_t i = 0; i < planner->decisions_n; i++)
        plan_places_free(planner->decisions[i].places, planner->decisions[i].places_n);
    planner->decisions_n = 0;
}

static void forget_all(struct planner *planner)
{
    struct sched_job *job;

    planner_forget_question(planner);
    while ((job = roster_take_any(&planner->jobs)))
        sched_job_free(planner->kinds, planner->pools, job);
    roster_clear(&planner->jobs);
    planner->plan = plan_free(planner->plan);
    turns_clear(&planner->turns);
    limits_clear(&planner->limits);
    queue_clear(&planner->queue);
    queue_clear(&planner->in_line);
    kinds_clear(planner->kinds);
    pools_clear(planner->pools);
    sched_cluster_clear(&planner->cluster);
    planner->running_n = 0;
    planner->planned_n = 0;
    planner->lift_to = UINT32_MAX;
    planner->unsettled_n = 0;
    planner->narrowed_n = 0;
    planner->retries_narrowed = false;
    planner->parking = 0;
    forget_decisions(planner);
}

struct planner *planner_free(struct planner *planner)
{
    if (!planner)
        return NULL;
    forget_all(planner);
    answer_clear(planner->answer);
    free(planner->answer);
    free(planner->kinds);
    free(planner->pools);
    free(planner->running);
    free(planner->decisions);
    free(planner);
    return NULL;
}

#define FREED_A_UNIT 16

struct planner *planner_discard(struct planner *planner, uint32_t units)
{
    for (uint64_t left = (uint64_t)units * FREED_A_UNIT; left > 0; left--) {
        struct sched_job *job = roster_take_any(&planner->jobs);

        if (!job)
            return planner_free(planner);
        sched_job_free(planner->kinds, planner->pools, job);
    }
    return planner;
}

void planner_rebuild(struct planner *planner, const struct plan_snapshot *snapshot)
{
    forget_all(planner);
    sched_cluster_init(&planner->cluster, snapshot);
    kinds_init(planner->kinds, &planner->cluster);
    pools_init(planner->pools, &planner->cluster, snapshot);
    limits_init(&planner->limits, &planner->cluster, planner->pools);
    planner->plan = plan_new(&planner->cluster, planner->kinds, planner->pools, snapshot);
    keeper_reset(&planner->keeper);
    planner->turns.turn = snapshot->policy.turn;
    planner->now_ms = snapshot->now_ms;
    planner->next_end_ms = PLAN_NEVER;
    planner->next_wait_ms = planner->next_age_ms = planner->next_fall_ms = PLAN_NEVER;
    planner->queue_stale = true;
    planner->passing = planner->scanning = planner->scans_all = false;
    planner->round_begun = planner->doubts_all = false;
    planner_add_all(planner, snapshot->jobs, snapshot->jobs_n);
}

static void take_units(struct planner *planner, uint32_t units)
{
    const bool waits = question_is_open(planner) && !question_is_due(planner);
    uint32_t left = units;

    while (left > 0 && !pass_is_done(planner) && pass_next(planner, &left))
        ;
    if (waits)
        question_wait(planner, units - left);
}

bool planner_step(struct planner *planner, int64_t now_ms, uint32_t units,
                  const struct plan_decision **ret_decisions, uint32_t *ret_n)
{
    if (now_ms > planner->now_ms)
        planner->now_ms = now_ms;
    forget_decisions(planner);
    *ret_decisions = NULL;
    *ret_n = 0;
    if (!planner->plan)
        return false;
    pass_begin(planner);
    take_units(planner, units);
    planner->passing = !pass_is_done(planner);
    if (!planner->passing) {
        keeper_reset(&planner->keeper);
        pools_period_begins(planner->pools);
        plan_tell_lines(planner->plan);
    }
    *ret_decisions = planner->decisions;
    *ret_n = planner->decisions_n;
    return planner->passing;
}

struct plan_counts planner_counts(const struct planner *planner)
{
    return (struct plan_counts){ .queued = planner->queue.n,
                                 .planned = planner->planned_n,
                                 .tries_used =
                                     planner->plan && !limits_leave_tries(&planner->limits),
                                 .starts_used =
                                     planner->plan && !limits_let_backfill(&planner->limits) };
}

int64_t planner_wakes_at(const struct planner *planner)
{
    int64_t wakes_ms =
        planner->next_wait_ms < planner->next_end_ms ? planner->next_wait_ms : planner->next_end_ms;

    if (planner->queue.n == 0)
        return PLAN_NEVER;
    if (pools_next_ms(planner->pools) < wakes_ms)
        wakes_ms = pools_next_ms(planner->pools);
    if (planner->next_fall_ms < wakes_ms)
        wakes_ms = planner->next_fall_ms;
    return wakes_ms;
}
