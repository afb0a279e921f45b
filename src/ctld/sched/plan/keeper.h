/*
 * keeper.h - plans that were taken back and need not be made again.
 *
 * A job's place was the best one for it. It still is if it is free, and if nothing that became free
 * since can give the job a place that is as early: where jobs ended, were cancelled, or moved away
 * in the plan being made again. Stretches of a node that meet are kept as one: each is a walk
 * through the node's steps for each job.
 */
#pragma once

#include "ctld/sched/plan/plan.h"

#define KEEPER_MAX 128 /* more would be looked at for longer than a search takes */

struct keeper {
    struct freed freed[KEEPER_MAX]; /* since all plans were made; those of one node do not meet */
    uint32_t freed_n;
    bool is_full;  /* there was more */
    int64_t first; /* the earliest beginning of all that was freed */
    bool forgets;  /* anything may have changed: no plan is kept */
};

void keeper_reset(struct keeper *keeper); /* all plans are made */
void keeper_forget(struct keeper *keeper, struct plan *plan);

/* Notes that what the job claims, or claimed until it was taken back, is free now. */
void keeper_freed(struct keeper *keeper, struct plan *plan, const struct sched_job *job);

/* Returns whether the place that was taken back is still the job's. */
bool keeper_keeps(const struct keeper *keeper, const struct plan *plan, const struct sched_job *job,
                  int64_t now_ms);
