/*
 * accrue.h - whose age counts, where GrpJobsAccrue, MaxJobsAccrue and the like bound how many
 * waiting jobs grow older.
 *
 * As in Slurm those that have a place keep it while they could start but for resources, also when
 * the limit is lowered; places that come free go to jobs in order of arrival, whose age then counts
 * from that moment on. Each task of an array counts; those that get places have records of their
 * own. With PriorityFlags=ACCRUE_ALWAYS nothing of this matters.
 */
#pragma once

#include "ctld/control/act/act.h"
#include "ctld/model/model.h"

/* Notes in the record of a job that comes, or waits again, that it has no place yet. */
void accrue_begin(struct control *control, struct job *job);

/* Returns whether the job waits, and its age counts at this moment. */
bool accrue_counts(struct moment now, const struct job *job);

/* Gives free places to jobs that wait for them, if anything has changed. */
void accrue_settle(struct act *act);
