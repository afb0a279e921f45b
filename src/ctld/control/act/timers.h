/* timers.h - the moments at which something of jobs and steps is due, and being woken for them. */
#pragma once

#include "ctld/control/act/act.h"
#include "ctld/model/model.h"

/* Sees to it that control_tick is called no later than at this moment. Early calls are harmless. */
void control_wake_at(struct control *control, int64_t cluster_ms);

/* Cluster time at which the job's limit is reached; INT64_MAX: no limit, or it does not run. */
int64_t job_limit_ms(const struct job *job);
int64_t job_warn_ms(const struct job *job);
int64_t step_limit_ms(const struct step *step);
int64_t job_retire_ms(const struct control *control, const struct job *job);

/* CompleteWait: true while nothing is planned because nodes of jobs that have just ended are not
 * clean. */
bool control_awaits_cleaning(const struct control *control, struct moment now);
