/*
 * count.h - how many jobs wait or run, where a limit speaks of that: GrpSubmitJobs and the like.
 * Each task of an array counts.
 */
#pragma once

#include "ctld/control/limit/standing.h"

/* Counts the job as what it is by now: while it waits in all partitions that it names, then in the
 * one that started it. To be called when it has come, when it is over or waits
 * again, and when its tasks, its partition, its account or its QOS have changed. */
void limit_count(struct control *control, struct job *job);

/* Fails with E_ACCT_POLICY if with so many jobs more there would be too many. `counted` is a job
 * that these replace: it stays where it counts already. NULL: they come in addition. */
int limit_check_count(struct control *control, const struct job_record *rec,
                      const struct partition *part, const struct job *counted, uint32_t jobs_n,
                      struct err *err);
