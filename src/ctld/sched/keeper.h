/*
 * keeper.h - plans that were taken back and need not be made again.
 *
 * A job's place was the best one for it. It still is if it is free, and if nothing that became free
 * since can give the job a place that is as early. Here is remembered what became free: where jobs
 * ended, were cancelled, or moved away in the plan being made again. Owns its stretches; borrows
 * the plan.
 */
#pragma once

#include "ctld/sched/plan.h"

struct freed {
    uint32_t node;
    int64_t from, to;
};

struct keeper {
    struct freed *freed;
    uint32_t n;
    int64_t first; /* the earliest beginning of those that were too many to remember */
    bool forgets;  /* anything may have changed: no plan is kept */
};

void keeper_clear(struct keeper *keeper);
void keeper_reset(struct keeper *keeper); /* all plans are made */

/* What the job claims, or claimed until it was taken back, is free now. */
void keeper_freed(struct keeper *keeper, const struct sched_job *job);

/* Whether the place that was taken back is still the job's. */
bool keeper_keeps(const struct keeper *keeper, const struct plan *plan, const struct sched_job *job,
                  int64_t now_ms);
