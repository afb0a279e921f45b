/* filter.h - scancel's options, and which jobs they mean. Pure, but for the user database. */
#pragma once

#include "common/msg/job.h"
#include "common/text/jobid.h"
#include "common/text/words.h"

struct scancel_filter {
    struct job_refs ids; /* none: all jobs that the rest fits */
    char *account, *name, *partition, *qos, *wckey, *user, *nodes;
    bool has_uid;
    uint32_t uid;
    bool has_state;
    uint32_t state; /* enum job_state: PENDING, RUNNING, SUSPENDED */
    int signal;     /* 0: end the job */
    bool batch, full, interactive, quiet, help, usage, version;
    uint32_t verbose;
    struct words warnings; /* about variables; without "error: " */
    char *clusters, *reservation;
    char *sibling; /* a cluster: of no federation, so that no job is there */
};

void scancel_filter_clear(struct scancel_filter *filter);
void scancel_filter_auto_(struct scancel_filter *filter);

/*
 * Reads the command line over the variables SCANCEL_x. Fails with E_SYNTAX for what is no option,
 * else with the words that Slurm has for it.
 */
int scancel_filter_parse(struct scancel_filter *filter, int argc, char *const *argv,
                         char *const *environment, struct err *err);

/* True if the options do not say which jobs are meant. */
bool scancel_filter_is_empty(const struct scancel_filter *filter);

/* True if the jobs must be looked at to know which are meant. */
bool scancel_filter_needs_jobs(const struct scancel_filter *filter);

/* True if the job, which is not over, is meant. `nodes` must parse, else no job fits. */
bool scancel_filter_fits(const struct scancel_filter *filter, const struct job_record *job);

/* Appends "user_name=root partition=main ", for the error that no job fits. */
void scancel_filter_describe(const struct scancel_filter *filter, struct strbuf *out);

void scancel_help(struct strbuf *out);
void scancel_usage(struct strbuf *out);
