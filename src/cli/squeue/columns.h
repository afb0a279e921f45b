/*
 * columns.h - what squeue can say about a job and about a step, under Slurm's letters and names.
 *
 * Pure. Rows borrow their messages.
 */
#pragma once

#include "common/msg/job.h"
#include "common/report/column.h"

struct queue_row {
    const struct job_info *info;
    const struct job_record *job; /* of info, or made from it for some of its tasks */
    const char *cluster;          /* ClusterName */
    const char *reasons;          /* of records shown as one; NULL: the record's */
};

struct step_row {
    const struct step_record *step;
    const char *user; /* name of its uid, or NULL */
    const char *cluster;
};

extern const struct report_table queue_table;
extern const struct report_table step_table;

/* When the job started, will start by the plan, or may start at the earliest; 0: not known. */
int64_t queue_start_time(const struct report_context *ctx, const struct queue_row *row);
