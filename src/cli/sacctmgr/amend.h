/*
 * amend.h - jobs of the history are changed by the controller of their cluster, also where a
 * slurmdbd has a copy: it tells slurmdbd.
 */
#pragma once

#include "cli/sacctmgr/sacctmgr.h"
#include "common/msg/amend.h"

/* A job, and its run, that is to be changed. */
struct amend_job {
    uint32_t id, run;
    int64_t submitted;
};

/* Asks the controller for the change, of HISTORY_AMEND_MAX jobs at a time. Also after a failure
 * *ret_done tells how many are changed. */
int amend_jobs(struct client *client, const struct amend_job *jobs, uint32_t n,
               const struct job_amendment *amendment, uint32_t *ret_done, struct err *err);

/* Connects to the controller of the cluster that the command has gone over to, in the place of a
 * slurmdbd. */
int amend_connect(struct mgr *mgr, struct err *err);

/* Comes back to slurm.conf's own cluster, for the commands that follow. */
void amend_go_home(struct mgr *mgr);
