/*
 * job_row.h - a job as a row, and the columns that several commands show of it. Pure.
 *
 * A row borrows all that it points to. The functions are those of report_column.
 */
#pragma once

#include "cli/lib/job_facts.h"
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

static inline const struct job_body *job_row_body(const void *row)
{
    return job_row_of(row)->info->body;
}

report_make_fn job_row_tasks, job_row_state, job_row_dependency, job_row_share, job_row_partition;
report_make_fn job_row_cpus_per_gpu, job_row_mem_per_gpu, job_row_gpu_bind, job_row_gpu_freq;
report_make_fn job_row_licenses_held, job_row_tres_requested, job_row_tres_allocated,
    job_row_tres_per_task;
report_make_fn job_row_command, job_row_std_in, job_row_std_out, job_row_std_err, job_row_cluster;
report_number_fn job_row_cpus_per_task, job_row_min_cpus, job_row_is_batch, job_row_requeues,
    job_row_run_time, job_row_accrue_time, job_row_last_looked_at;

/* Start and end as scontrol and documents tell them; squeue has its own functions. */
report_number_fn job_row_start_time, job_row_end_time;

/* The first of the job's nodes, for a job of any kind; squeue has its own function. */
report_make_fn job_row_batch_host;

/* Appends the number, or "*" where the job leaves it open. */
void job_row_add_open(uint32_t count, struct strbuf *out);

/* Appends nothing, for columns that no job has here: their word is the column's `unset`. */
report_make_fn job_row_nothing;
