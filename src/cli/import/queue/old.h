/*
 * old.h - the cluster that jobs come from, by its own commands: squeue, scontrol, scancel, sacct.
 *
 * Only commands and forms of output that 22.05 to 25.05 share are used. Who owns a job, and
 * whatever else its owner must not choose, is read from columns in which users write nothing; texts
 * of users come job by job, so that no text passes for another job.
 */
#pragma once

#include "cli/import/queue/saved.h"
#include "common/base/log.h"

struct old {
    const char *bin;  /* directory of its commands; NULL: by PATH */
    const char *conf; /* its slurm.conf; NULL: as the commands find it */
    struct log *log;
    char *cluster;
    bool keeps_environments; /* AccountingStoreFlags has job_env */
};

/* Asks which cluster it is. Refuses commands that are Sluice's own. */
int old_open(struct old *old, struct err *err);
void old_close(struct old *old);

/* Lists jobs that wait or run, without what old_look adds. */
int old_list(const struct old *old, struct saved *ret, struct err *err);

/* Reads lines of squeue, as old_list does. */
int old_read_rows(const char *text, struct saved *ret, struct err *err);

/* Adds what scontrol shows of the job. */
int old_show(const struct old *old, struct queue_job *job, struct err *err);

/* Adds what scontrol, squeue and sacct say of the job, its script, and its environment if kept. */
int old_look(const struct old *old, struct queue_job *job, struct err *err);

/* Reads the variables in the first answer of sacct --env-vars as "NAME=value", each ended by a zero
 * byte. A line that begins no variable goes on with the one before. */
void old_read_environment(const char *text, struct strbuf *out);

/* Hold jobs as an administrator does, and give them back what they had. Whether that is done has to
 * be looked up: commands do not always tell. */
int old_hold(const struct old *old, const struct queue_job *job, struct err *err);
int old_unhold(const struct old *old, const struct queue_job *job, struct err *err);

/* Cancels a job that waits, and is held. */
int old_cancel(const struct old *old, const struct queue_job *job, struct err *err);
