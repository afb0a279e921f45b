/*
 * rows.h - jobs and steps as rows, in the order to print them. Pure, but for the names of users
 * of steps, which are looked up.
 */
#pragma once

#include "cli/lib/records.h"
#include "cli/squeue/columns.h"
#include "cli/squeue/filter.h"
#include "common/report/sort.h"

struct queue_user {
    uint32_t uid;
    char *name; /* NULL: it has none here */
};

/* Borrows the records and the cluster's name. */
struct queue_rows {
    void *rows;         /* n struct queue_row or struct step_row */
    const void **order; /* n pointers into the above */
    uint32_t n;
    struct queue_user *users; /* names found so far */
    uint32_t users_n;
};

/* The wanted ones of JOB_INFO or STEP_INFO records, sorted. `ret_rows` is cleared by the caller. */
void queue_rows_of_jobs(const struct records *jobs, const struct queue_filter *filter,
                        const struct report_sort *sort, const struct report_context *ctx,
                        const char *cluster, struct queue_rows *ret_rows);
void queue_rows_of_steps(const struct records *steps, const struct queue_filter *filter,
                         const struct report_sort *sort, const struct report_context *ctx,
                         const char *cluster, struct queue_rows *ret_rows);
void queue_rows_clear(struct queue_rows *rows);
void queue_rows_auto_(struct queue_rows *rows);
