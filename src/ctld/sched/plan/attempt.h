/*
 * attempt.h - how one more job is planned.
 *
 * Its partitions, claims, the windows of reservations and --time-min are put together here; the
 * nodes at one moment are found by search.h. What an attempt has found out is kept in the plan, so
 * that it goes on where the units of a step were spent.
 */
#pragma once

#include "ctld/sched/plan/plan.h"

/* Drops a search that was begun. */
void attempt_forget(struct plan_attempt *attempt);

/* Returns the outcome of a job that has no place. `at_ms`: when that may change, or PLAN_NEVER. */
struct plan_outcome plan_waits(const struct sched_job *job, enum plan_why why, int64_t at_ms);

/* What bounds a try: the present, and the last moment at which a start would be of use. */
struct plan_bounds {
    int64_t now_ms, latest_ms;
    bool put_off; /* all places in the future are given: only a start now is looked for */
};

/*
 * Tries for at most *units moments, at least one, counting them down. Returns false when they were
 * not enough: call again, and the search goes on. The outcome is not claimed yet.
 */
bool plan_try(struct plan *plan, struct sched_job *job, const struct plan_bounds *bounds,
              uint32_t *units, struct plan_outcome *ret);

/* Returns what plan_try would say of a job that is known not to be able to start now, where nothing
 * else is asked. */
struct plan_outcome plan_stays(const struct plan *plan, const struct sched_job *job,
                               int64_t now_ms);

/* Makes a job that private pools block wait in them alone, from the moment on at which they let it
 * start: it keeps others of these pools from passing, and keeps nodes from nobody. */
void plan_wait_in_pool(const struct plan *plan, const struct sched_job *job, int64_t now_ms,
                       struct plan_outcome *outcome);

/* Returns whether private pools keep a planned job from starting now by its option, its own claim
 * counted. False is certain, true is not. */
bool plan_is_blocked(const struct plan *plan, const struct sched_job *job, int64_t now_ms);

/* Returns whether the job could run in one of its partitions, were all nodes up and empty. */
bool plan_fits_ever(const struct plan *plan, const struct sched_job *job);

/* Returns whether jobs of the option's kind may be started at all, its nodes being empty; and
 * whether this one may be by it, its pools being empty, too. */
bool plan_takes_jobs(const struct plan *plan, const struct sched_option *option);
bool plan_is_open(const struct plan *plan, const struct sched_job *job,
                  const struct sched_option *option);

/* Gives the job back the place that was taken back; only its reason for waiting may be another. */
void plan_keep(struct plan *plan, struct sched_job *job, int64_t now_ms);
