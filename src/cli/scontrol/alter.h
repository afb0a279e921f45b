/*
 * alter.h - requests that name jobs (common/msg/alter.h), sent one for each job or array.
 */
#pragma once

#include "cli/scontrol/session.h"
#include "cli/scontrol/update_job.h"

/* A request with job_id and tasks left open; both are set for each call. */
struct alter {
    uint32_t type; /* enum msg_type */
    void *request; /* of msg_schema(type) */
    uint32_t *job_id;
    char **tasks;     /* NULL: the request knows no tasks */
    const char *what; /* said once more at the end, as Slurm does: "slurm_suspend"; NULL: not */
};

/* Sends the request for the jobs of a list, "5,12_[1-3]"; reports errors itself. */
void alter_ids(struct scontrol *session, const struct alter *alter, const char *ids);

/* Sends the request for all jobs that have the name, or are in a list; reports errors itself. */
void alter_chosen(struct scontrol *session, const struct alter *alter,
                  const struct job_choice *choice);

/* Sends the request for the jobs of several lists; reports errors itself. */
void alter_lists(struct scontrol *session, const struct alter *alter, int argc, char *const *argv);

/* Sends the request for the jobs of words: lists of ids, "jobname=NAME"; reports errors itself. */
void alter_words(struct scontrol *session, const struct alter *alter, int argc, char *const *argv);
