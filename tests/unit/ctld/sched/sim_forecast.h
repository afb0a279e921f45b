/* sim_forecast.h - the planner beside the one of sim.h that forecasts; NULL: there is none. */
#pragma once

#include "ctld/sched/planner.h"

/* Returns what the forecast is made of: the same cluster, planned for all. */
static inline struct plan_snapshot sim_forecast_of(const struct plan_snapshot *snapshot)
{
    struct plan_snapshot forecast = *snapshot;

    forecast.policy = (struct plan_policy){ .select = snapshot->policy.select,
                                            .backfill = snapshot->policy.backfill,
                                            .limits_stop = snapshot->policy.limits_stop,
                                            .resolution_ms = snapshot->policy.resolution_ms,
                                            .forecasts = true };
    return forecast;
}

static inline void sim_forecast_begin(struct planner *forecast,
                                      const struct plan_snapshot *snapshot)
{
    const struct plan_snapshot from = sim_forecast_of(snapshot);

    if (forecast)
        planner_rebuild(forecast, &from);
}

/* Tells the forecast of a start that the planner has decided on. */
static inline void sim_forecast_start(struct planner *forecast, int64_t now_ms,
                                      const struct plan_job *job)
{
    const struct plan_change change = { .kind = PLAN_JOB_ADDED, .job = job };

    if (forecast)
        planner_apply(forecast, now_ms, &change);
}

/* Forecasts anew where the jobs stand that wait, in steps of so many units; 0: as many as needed.
 */
static inline void sim_forecast_pass(struct planner *forecast, int64_t now_ms, uint32_t units)
{
    const struct plan_decision *decisions;
    uint32_t n;

    while (forecast && planner_step(forecast, now_ms, units ? units : UINT32_MAX, &decisions, &n))
        ;
}
