/* start.h - what follows from a job's start. */
#pragma once

#include "common/msg/job.h"
#include "ctld/control/act/act.h"
#include "ctld/control/act/turn.h"
#include "ctld/model/model.h"
#include "ctld/sched/planner.h"

void job_start(struct act *act, struct job *job, const struct plan_decision *decision);

void job_set_partition(const struct control *control, struct job *job, uint32_t partition);

/* Seconds that the job was suspended up to its last change between running and suspended. */
static inline int64_t job_paused_s(const struct job *job)
{
    const struct job_record *rec = &job->rec;

    return rec->suspend_time ? rec->suspend_time - rec->start_time - rec->pre_suspend_s : 0;
}

/* Tells timers and planner of a time limit that is another than at the job's start. */
void job_limit_changed(struct act *act, struct job *job);

void job_tell_granted(const struct model *model, struct job *job, struct turn *turn);
