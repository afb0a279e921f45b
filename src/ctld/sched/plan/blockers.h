/*
 * blockers.h - what a planned job waits for: who holds its places, and what is too little of.
 */
#pragma once

#include "ctld/sched/plan/plan.h"

/* Fills in up to PLAN_BLOCKERS_MAX ids of jobs that hold the job's places before its time; returns
 * their number. */
uint32_t blockers_on_nodes(const struct plan *plan, const struct sched_job *job, int64_t now_ms,
                           uint64_t *ret_ids);

/* Adds, while there is room, the ids of those of these jobs that hold, or are planned to hold,
 * something of the pool that has too little left for the job. Returns the new number. */
uint32_t blockers_in_pool(const struct plan *plan, const struct sched_job *job,
                          struct sched_job *const *holders, uint32_t holders_n, uint64_t *ids,
                          uint32_t n);

/* Returns what the job could not have on its places, were it to start now, as enum plan_lack. */
uint32_t blockers_lacking(const struct plan *plan, const struct sched_job *job, int64_t now_ms);
