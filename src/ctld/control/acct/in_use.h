/*
 * in_use.h - what jobs that hold nodes stand in the way of: an association, QOS or wckey is not
 * deleted before them. As in Slurm a job that waits is let wait: what it names is not valid any
 * more.
 */
#pragma once

#include "common/base/err.h"
#include "common/msg/job.h"

struct control;

/* In whose name jobs are, or with what; NULL: any. All is borrowed. */
struct in_use {
    const char *cluster, *account, *user, *partition, *qos, *wckey;
};

enum { IN_USE_NAMED = 10 };

/* The jobs that were found: their number, and those that are named. */
struct in_use_jobs {
    uint32_t ids[IN_USE_NAMED];
    uint32_t n;
};

/* Jobs that a slurmdbd knows of. */
struct acct_jobs {
    void (*find)(const struct in_use *use, struct in_use_jobs *found, void *ctx);
    void *ctx;
};

/* Has the controller, which is a slurmdbd's, look there for jobs. `jobs` must outlive it. */
void acct_set_jobs(struct control *control, const struct acct_jobs *jobs);

/* Notes the job, whose cluster is the one that is meant, if it holds nodes so. */
void in_use_look(const struct in_use *use, const struct job_record *job, struct in_use_jobs *found);

/* Fails with EBUSY, naming jobs that hold nodes so. */
int in_use_check(const struct control *control, const struct in_use *use, struct err *err);
