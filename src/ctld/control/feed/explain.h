/* explain.h - why a job waits, and when it would start: asked of the planner, not kept. */
#pragma once

#include "common/msg/job.h"
#include "ctld/control/act/act.h"
#include "ctld/model/model.h"
#include "ctld/sched/planner.h"

/* Where the plan puts a waiting job; false: it is not in it (yet), and its record says why. */
bool job_explain(const struct control *control, const struct job *job, struct plan_decision *ret);

/* Sets the first answer to why the job waits; the planner's follows, where the job may be
 * planned. */
void job_set_first_reason(const struct control *control, struct moment now, struct job *job);

/* Puts what the plan says into the job's record, or into what a client is shown of it. */
void job_note_wait(const struct control *control, struct moment now, struct job *job);
void job_show_wait(const struct control *control, struct moment now, const struct job *job,
                   struct job_info *ret);
