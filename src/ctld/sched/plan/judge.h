/*
 * judge.h - what the place that a job was given means: whether it starts, and why it waits.
 */
#pragma once

#include "ctld/sched/plan/plan.h"

/* For an outcome with its places, or none, and when: the verdict, and why. */
void judge_outcome(const struct plan *plan, const struct sched_job *job, int64_t now_ms,
                   struct plan_outcome *outcome);

/* Of one that does not start: why. */
void judge_waiting(const struct plan *plan, const struct sched_job *job, int64_t now_ms,
                   struct plan_outcome *outcome);
