/*
 * rows.h - jobs and steps as rows, in the order to print them. Pure, but for the names of users
 * of steps, which are looked up.
 */
#pragma once

#include "cli/lib/records.h"
#include "cli/lib/job_row.h"
#include "cli/lib/people.h"
#include "cli/squeue/columns.h"
#include "cli/squeue/filter.h"
#include "common/report/sort.h"

/* Rows to print; they borrow the records and the cluster's name. */
struct queue_rows {
    void *rows;         /* n struct job_row or struct step_row */
    const void **order; /* n pointers into the above */
    uint32_t n;
    struct people people;        /* the owners of steps */
    struct job_record **records; /* made for rows, of parts that others own */
    uint32_t records_n;
    char **texts; /* likewise */
    uint32_t texts_n;
};

struct queue_source {
    const struct records *jobs; /* JOB_INFO */
    const struct records
        *partitions; /* PARTITION_INFO; NULL: no row for each that a job waits for */
    const struct queue_filter *filter;
    const struct report_sort *sort;
    const char *cluster;
    bool each_task;
};

/*
 * The order of rows before the keys of -S: latest start first, jobs without one last. This is what
 * Slurm's list looks like, and what remains visible where keys are equal.
 */
struct queue_rank {
    int64_t start; /* 0: not known */
    uint32_t id, task, tier;
};
struct queue_rank queue_rank_of(const struct report_context *ctx, const struct job_row *row);
int queue_rank_compare(const void *left, const void *right); /* for qsort */

/* Makes rows of the wanted JOB_INFO records in the order in which they came, ignoring `order`. */
void queue_rows_make(const struct queue_source *source, struct queue_rows *ret_rows);

/*
 * Make rows of the wanted JOB_INFO or STEP_INFO records, sorted. The caller clears `ret_rows`.
 * Tasks of an array that wait have one row together, unless each_task is set or they were asked for
 * one by one.
 */
void queue_rows_of_jobs(const struct queue_source *source, const struct report_context *ctx,
                        struct queue_rows *ret_rows);
void queue_rows_of_steps(const struct records *steps, const struct queue_filter *filter,
                         const struct report_sort *sort, const struct report_context *ctx,
                         const char *cluster, struct queue_rows *ret_rows);
void queue_rows_clear(struct queue_rows *rows);
void queue_rows_auto_(struct queue_rows *rows);
