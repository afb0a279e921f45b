/*
 * job_row.h - a job as a row, and the columns that several commands show of it. Pure.
 *
 * A row borrows all that it points to. The functions are those of report_column.
 */
#pragma once

#include "common/msg/job.h"
#include "common/report/column.h"

struct job_row {
    const struct job_info *info;
    const struct job_record *job; /* of info, or made from it for some of its tasks */
    const char *cluster;          /* ClusterName */
    const char *reasons;          /* of records shown as one; NULL: the record's */
    const char *partition; /* of several that it waits for, where each has a row; else NULL */
    uint32_t tier;         /* PriorityTier of that */
};

static inline const struct job_row *job_row_of(const void *row)
{
    return row;
}

static inline const struct job_spec *job_row_spec(const void *row)
{
    return job_row_of(row)->job->spec;
}

static inline bool job_row_is_count(uint32_t count)
{
    return count != COUNT_UNSET && count != COUNT_INFINITE;
}

/* The number, or `other` for one that is not given or has no bound. */
static inline uint32_t job_row_count(uint32_t count, uint32_t other)
{
    return job_row_is_count(count) ? count : other;
}

/* That a job which waits gets: as it asks, and as many as have its cpus; 1 or more. */
uint32_t job_row_least_nodes(const void *row);

report_make_fn job_row_tasks, job_row_state, job_row_dependency, job_row_share, job_row_partition;
report_make_fn job_row_cpus_per_gpu, job_row_mem_per_gpu, job_row_gpu_bind, job_row_gpu_freq;
report_make_fn job_row_licenses_held;
report_number_fn job_row_cpus_per_task, job_row_min_cpus, job_row_is_batch, job_row_requeues,
    job_row_run_time, job_row_accrue_time, job_row_last_looked_at;

/* What no job here has: the word for it is the column's `unset`. */
report_make_fn job_row_nothing;
