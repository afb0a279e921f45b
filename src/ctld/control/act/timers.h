/* timers.h - the moments at which something of jobs and steps is due, and being woken for them. */
#pragma once

#include "ctld/control/act/act.h"
#include "ctld/model/model.h"

/* The moment comes no later than this. Early wake-ups are harmless. */
void control_wake_at(struct control *control, int64_t cluster_ms);

/* Cluster time at which the job's limit is reached; INT64_MAX: no limit, or it does not run. */
int64_t job_limit_ms(const struct job *job);
int64_t job_warn_ms(const struct job *job);
int64_t step_limit_ms(const struct step *step);
int64_t job_retire_ms(const struct control *control, const struct job *job);

/* CompleteWait: nothing is planned until nodes of jobs that have just ended are clean. */
bool control_awaits_cleaning(const struct control *control, struct moment now);
