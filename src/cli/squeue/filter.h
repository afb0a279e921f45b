/*
 * filter.h - which jobs and steps squeue shows.
 *
 * Pure, but for the names of users, which are looked up once when the filter is made.
 */
#pragma once

#include "cli/squeue/options.h"
#include "common/msg/job.h"
#include "common/text/hostlist.h"
#include "common/text/jobid.h"
#include "common/text/words.h"

struct queue_filter {
    struct job_refs jobs;  /* of -j */
    struct job_refs steps; /* of -s */
    uint32_t *uids;
    uint32_t uids_n;
    bool some_users;  /* -u was given: uids may still be empty */
    uint32_t not_uid; /* of --notme; COUNT_UNSET: nobody */
    bool wants_none;  /* a list that was given has nothing in it */
    uint32_t states;  /* bit for each base state */
    uint32_t flags;   /* enum job_flags that will do instead */
    struct words partitions, names, accounts, qos, licenses;
    const char *reservation; /* borrowed from the options; NULL: any, and none */
    struct words strangers;  /* of -u: users that there are not, to be said */
    struct hostlist *nodes;
    bool see_all; /* what is hidden, too: -a; what is asked for by -j or -p is shown anyway */
};

/*
 * Reads the lists in the options. `my_uid` is that of --me. Fails with E_SYNTAX, worded as Slurm
 * does.
 */
int queue_filter_init(struct queue_filter *filter, const struct squeue_options *options,
                      uint32_t my_uid, struct err *err);
void queue_filter_clear(struct queue_filter *filter);
void queue_filter_auto_(struct queue_filter *filter);

/* True if the job is wanted, apart from -j: rows.c knows which tasks of a record that names. */
bool queue_filter_wants_job(const struct queue_filter *filter, const struct job_record *job);
bool queue_filter_wants_step(const struct queue_filter *filter, const struct step_record *step);

/* Sets what the controller can leave out of a list of jobs, or of their steps. */
void queue_filter_request(const struct queue_filter *filter, bool of_steps,
                          struct job_list *request);
