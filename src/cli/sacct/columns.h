/*
 * columns.h - what sacct can say about a job or a step. Values and their words are Slurm's.
 */
#pragma once

#include "cli/sacct/numbers.h"
#include "common/msg/job.h"
#include "common/report/format.h"

/* A line of sacct, about a job or one of its steps. Everything is borrowed. */
struct acct_row {
    const struct job_record *job;
    const struct job_record *own;    /* the job, in its own line; NULL in those of steps */
    const struct job_spec *spec;     /* the same */
    const struct job_body *body;     /* the same */
    const struct step_record *step;  /* NULL in the job's own line */
    const struct step_record *steps; /* of the job, in its own line, to sum up */
    uint32_t steps_n;
    bool is_earlier_run;
};

/* Return what a line has, for the functions of columns, which get the line as `row`. */
static inline const struct job_record *acct_job(const void *row)
{
    return ((const struct acct_row *)row)->job;
}

/* Returns the job's body; NULL in the lines of steps. */
static inline const struct job_body *acct_body(const void *row)
{
    return ((const struct acct_row *)row)->body;
}

static inline const struct step_record *acct_step(const void *row)
{
    return ((const struct acct_row *)row)->step;
}

/* The context that report_context's `user` points to. */
struct acct_context {
    const char *cluster;
    char unit; /* of --units, or 0 */
    bool expand_patterns;
    bool as_logged;                     /* of -c: where nothing is said nothing is made up */
    const struct acct_numbers *numbers; /* NULL: no column shows one */
    bool plain_bytes;                   /* what was read and written as a number, as sstat does */
};

static inline bool acct_is_logged(const struct report_context *ctx)
{
    return ((const struct acct_context *)ctx->user)->as_logged;
}

extern const struct report_table acct_table;

/* The mark of columns that show numbers of records of accounts. */
#define ACCT_OF_NUMBERS 1

/* The last of the columns are names that Slurm 22.05 does not list, older and newer ones. */
#define ACCT_UNLISTED 13

/* Makes the line of a job; with `sum_up` it has the times of the job's steps, as without -X. */
struct acct_row acct_row_of_job(const struct history_job *history, bool sum_up);
struct acct_row acct_row_of_step(const struct job_record *job, const struct step_record *step);

/* True if Slurm calls a run that gave way to a later one REQUEUED: nothing else broke it. */
bool acct_is_requeued(const struct job_record *job, bool is_earlier_run);

/*
 * These return a step's state (enum job_state), who cancelled it (or COUNT_UNSET), and a job's wait
 * status. Slurm's accounting knows of a script only how it ended, whatever ended its job, and the
 * same of a step that ran into the job's limit; and it accounts for a job that is made to end
 * before it knows how its script takes that.
 */
uint32_t acct_step_state(const struct step_record *step);
uint32_t acct_step_ended_by(const struct step_record *step);
int32_t acct_job_exit(const struct job_record *job);
