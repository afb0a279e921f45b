/*
 * The policy of a controller that is told nothing. It promises a place in the future to the first
 * waiting job of each line and to those that wait for two days; the others start where they delay
 * none of these, those whose waiting is long for their length first. On recorded job streams that
 * gives shorter waits than EASY backfill, and a longest wait near that of planning for all
 * (docs/BENCHMARKS.md).
 */
#include "ctld/sched/planner.h"

#define DAYS_MS(n) ((n)*INT64_C(86400000))

struct plan_policy plan_policy_default(void)
{
    return (struct plan_policy){
        .backfill = true,
        .plans_max = 1,
        .plans_in_lines = true,
        .plan_age_ms = DAYS_MS(2),
        .turn = PLAN_TURN_STRETCHED,
    };
}
