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

/* What a slurmdbd knows of the clusters that have registered. */
struct acct_clusters {
    void (*find_jobs)(const struct in_use *use, struct in_use_jobs *found, void *ctx);
    bool (*is_connected)(const char *cluster, void *ctx);
    void *ctx;
};

/* Has the controller, which is a slurmdbd's, look there for jobs and for who is connected.
 * `clusters` must outlive it. */
void acct_set_clusters(struct control *control, const struct acct_clusters *clusters);

/* Fails with EBUSY where somebody works with the accounts of the cluster: this controller, or one
 * that is connected. */
int in_use_check_cluster(const struct control *control, const char *cluster, struct err *err);

/* Notes the job, whose cluster is the one that is meant, if it holds nodes so. */
void in_use_look(const struct in_use *use, const struct job_record *job, struct in_use_jobs *found);

/* Fails with EBUSY, naming jobs that hold nodes so. */
int in_use_check(const struct control *control, const struct in_use *use, struct err *err);
