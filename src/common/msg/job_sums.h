/*
 * job_sums.h - rows in which what jobs held is added up. Pure.
 *
 * A row is about a period of the calendar, or about any time, and about those jobs that an account,
 * user, partition, wckey and number of cpus have in common.
 */
#pragma once

#include <uthash.h>

#include "common/msg/job_spans.h"
#include "common/msg/sums.h"
#include "common/text/period.h"

/* The TRES that every job holds have a place of their own. */
enum sum_tres { SUM_CPU, SUM_MEM, SUM_NODE, SUM_BILLING, SUM_TRES_N };
extern const char *const sum_tres_names[SUM_TRES_N];

/* A number of cpus that no job has: a row of it is a rest, what jobs held that are not known here,
 * of which nobody can say how many they were or how large. */
#define SUM_REST UINT32_MAX

/* A row of sums: a period that begins at a moment, who held, and how many cpus each job. A row
 * without a user is about the whole cluster. */
struct job_sum {
    int64_t period, at; /* of job_sums_add_between: 0, and its beginning */
    uint32_t cpus;
    const char *account, *user, *partition, *wckey; /* in the key; never NULL */
    uint64_t began;                                 /* jobs that ran first in this period */
    uint64_t carried;                               /* jobs that had run in the one before */
    uint64_t held[SUM_TRES_N];
    uint64_t waited;          /* cpu seconds, of the cluster */
    struct acct_amount *more; /* other TRES */
    uint32_t more_n;
    UT_hash_handle hh;
    char key[]; /* the members above the counts, as bytes */
};

/* Rows, each key once, in the order in which they came. Owns them; all zero is empty. */
struct job_sums {
    struct job_sum *rows; /* uthash */
};

void job_sums_clear(struct job_sums *sums);
void job_sums_auto_(struct job_sums *sums);

/* Returns the row of a key, made where there is none. */
struct job_sum *job_sums_row(struct job_sums *sums, const struct job_sum *key);

/* Returns the bytes by which owners of jobs are told apart: account, user, partition, wckey. */
const char *job_sum_owner(const struct job_sum *row, size_t *ret_n);

/* Returns a key of who has the job, which borrows from the job and `uid`, room for a user without a
 * name. */
#define SUM_UID_MAX 12
struct job_sum job_sum_key(const struct job_record *job, char uid[SUM_UID_MAX]);

/* Adds what the job held until `now` or its end, to each hour, day and month in which it ran. */
void job_sums_add_run(struct job_sums *sums, const struct job_record *job, int64_t now);

/* Takes away what job_sums_add_run adds: sums below zero are what is left to be added to others. */
void job_sums_take_run(struct job_sums *sums, const struct job_record *job, int64_t now);

/* Adds, to the hours of the cluster that lie within a time, what the job held, and the cpu seconds
 * for which it waited. */
void job_sums_add_hours(struct job_sums *sums, const struct job_record *job, int64_t now,
                        const struct span *window);

/* Adds what the job held between two moments to one row. */
void job_sums_add_between(struct job_sums *sums, const struct job_record *job, int64_t now,
                          int64_t from, int64_t until, bool sizes);

/* Adds TRES seconds, where jobs hold `name`. */
void job_sum_add_more(struct job_sum *row, const char *name, uint64_t seconds);

/* Frees what is told of other TRES in a row that no rows own. */
void job_sum_clear_more(struct job_sum *row);

/* Makes the message of a row. To be cleared. */
void job_sum_tell(const struct job_sum *row, struct sum_info *ret);
