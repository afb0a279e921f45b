/*
 * judge.h - what the place that a job was given means: whether it starts, and why it waits.
 */
#pragma once

#include "ctld/sched/plan/plan.h"

/* Sets the verdict, and why, of an outcome that has its places, or none, and its time. */
void judge_outcome(const struct plan *plan, const struct sched_job *job, int64_t now_ms,
                   struct plan_outcome *outcome);

/* Sets why a job waits that does not start. */
void judge_waiting(const struct plan *plan, const struct sched_job *job, int64_t now_ms,
                   struct plan_outcome *outcome);
