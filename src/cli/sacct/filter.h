/*
 * filter.h - which jobs and steps sacct shows. Owns its lists.
 *
 * The controller is asked for what it can choose itself; the rest is chosen here. Without -s a job
 * counts that was eligible (a job that is named: submitted) before `until` and not over before
 * `from`; with -s one that was in a wanted state at some time between the two.
 */
#pragma once

#include "cli/sacct/numbers.h"
#include "cli/sacct/options.h"
#include "common/msg/job.h"
#include "common/text/hostlist.h"
#include "common/text/jobid.h"

struct acct_range {
    uint64_t least, most;
};

struct acct_filter {
    int64_t from, until; /* what happens at `until` itself does not count */
    struct job_refs ids;
    uint32_t *states;
    uint32_t states_n;
    bool requeued;                 /* -s RQ: runs that gave way to later ones */
    bool main_flag, backfill_flag; /* of --flags */
    uint32_t *uids, *gids;
    uint32_t uids_n, gids_n;
    struct hostlist *nodes; /* NULL: any */
    struct acct_range nnodes, ncpus, limit_s;
    const struct acct_numbers *numbers;  /* of associations, for -x; NULL: it is not asked */
    const char *cluster;                 /* that jobs are of; for -x, too */
    const struct sacct_options *options; /* borrowed: names, partitions, accounts, ... */
};

/* Look up the numbers of names; return -1 when there is no such name. */
struct acct_lookup {
    int64_t (*user)(const char *name);
    int64_t (*group)(const char *name);
};

/*
 * Reads the options into a filter. `uid` is the caller's: a caller who is not root sees own jobs
 * unless the options say otherwise. The error's text is Slurm's whole line after "sacct: ".
 * *ret_filter is to be cleared also after a failure.
 */
int acct_filter_init(struct acct_filter *ret_filter, const struct sacct_options *options,
                     int64_t now, uint32_t uid, const struct acct_lookup *lookup, struct err *err);
void acct_filter_clear(struct acct_filter *filter);
void acct_filter_auto_(struct acct_filter *filter);

/* Appends "Jobs Eligible in the time window from ... to ...", for -v. */
void acct_filter_describe(const struct acct_filter *filter, struct strbuf *out);

/* Fills in what the controller is asked for. *ret_list is to be cleared. */
void acct_filter_request(const struct acct_filter *filter, struct history_list *ret_list);

bool acct_filter_wants(const struct acct_filter *filter, const struct history_job *history);

/* True if the reference means the job: by its number, or that of its array or task. */
bool acct_ref_names(const struct job_ref *ref, const struct job_record *job);

/* True if the job's own line is wanted; acct_filter_wants_step tells about a step's line. */
bool acct_filter_wants_line(const struct acct_filter *filter, const struct job_record *job);

/* True if -c wants the line: as in Slurm, only jobs and partitions can be chosen then. */
bool acct_filter_wants_logged(const struct acct_filter *filter, const struct job_record *job);
bool acct_filter_wants_step(const struct acct_filter *filter, const struct job_record *job,
                            const struct step_record *step);
