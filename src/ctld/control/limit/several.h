/*
 * several.h - jobs that name several partitions. Each of these may start such a job, so when it is
 * submitted the QOS of each counts; and a job that names no time limit has that of the partition
 * that starts it, one that can do with less than its limit no more than that one's MaxTime.
 */
#pragma once

#include "ctld/control/act/act.h"
#include "ctld/control/request/tres.h"

/* Returns the partitions that the job names, `part` (may be NULL: none) among them; the
 * caller's. */
const struct partition **limit_partitions(const struct control *control,
                                          const struct job_record *rec,
                                          const struct partition *part, uint32_t *ret_n);

/* Returns the time limit in seconds of the job if it runs in the partition; below 0: none. */
int64_t limit_time_in(struct control *control, const struct tres_job *job);

/* Sets the time limit that is told of a waiting job which names none: that in the partition. */
void limit_fill_time(struct control *control, struct job_record *rec,
                     const struct job_request *request, uint32_t partition);

/* Returns the longest time limit in seconds that the job may have in the partition or in one of the
 * others that would take it; below 0: none. */
int64_t limit_time_to_plan(struct control *control, const struct tres_job *job);
