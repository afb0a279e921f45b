/*
 * in_use.h - what jobs stand in the way of: an association, QOS or wckey is not deleted before the
 * jobs that have it are over. One that waits counts as one that runs.
 */
#pragma once

#include "common/base/err.h"
#include "common/msg/acct.h"
#include "common/msg/job.h"

struct control;

/* In whose name a job is, and with what. All is borrowed. */
struct in_use_job {
    uint32_t id;
    const char *cluster, *account, *user, *partition, *qos, *wckey;
};

/* Says of a job of that cluster in whose name it is. Returns false if it is over. */
bool in_use_by(const char *cluster, const struct job_record *rec, struct in_use_job *ret);

typedef void in_use_look_fn(const struct in_use_job *job, void *arg);

/* What a slurmdbd knows of the clusters that have registered. `each_job` calls `look` with every
 * job that is not over. */
struct acct_clusters {
    void (*each_job)(in_use_look_fn *look, void *arg, void *ctx);
    bool (*is_connected)(const char *cluster, void *ctx);
    void *ctx;
};

/* Has the controller, which is a slurmdbd's, look there for jobs and for who is connected.
 * `clusters` must outlive it. */
void acct_set_clusters(struct control *control, const struct acct_clusters *clusters);

/* Fails with EBUSY where somebody works with the accounts of the cluster: this controller, or one
 * that is connected. */
int in_use_check_cluster(const struct control *control, const char *cluster, struct err *err);

/* Each fails with EBUSY, naming jobs that have it; those of an association that a request has
 * deleted name the jobs of all that were deleted along with it. */
int in_use_check_qos(struct control *control, const char *qos, struct err *err);
int in_use_check_wckey(struct control *control, const struct wckey_record *rec, struct err *err);
int in_use_check_assoc(struct control *control, const struct assoc_record *deleted,
                       struct err *err);
