/*
 * outcome.h - how a job or step went, in the words of several commands. Pure.
 */
#pragma once

#include "common/msg/job.h"

/* "3:15": exit code and signal of a wait status. */
void outcome_add_exit(int32_t status, struct strbuf *out);

/*
 * Slurm's word for why the job waits or ended so. Nodes that cannot be had are named behind it,
 * with `blank` between the words.
 */
void outcome_add_reason(const struct job_record *job, char blank, struct strbuf *out);

/* A script with its arguments, as it was called; nothing where there is none. */
void outcome_add_command(const struct job_body *body, struct strbuf *out);

/* "/home/ann/slurm-7.out": an absolute path, symbols replaced. */
void outcome_add_path(const struct job_record *job, const struct job_body *body,
                      const char *pattern, struct strbuf *out);

/* Appends the path of a batch job's stream; of other jobs nothing. */
void outcome_add_stream(const struct job_record *job, const struct job_body *body,
                        const char *pattern, struct strbuf *out);

/* "Block", "Plane=2": how its tasks are dealt to its nodes; nothing of a batch step. */
void outcome_add_distribution(const struct step_record *step, struct strbuf *out);

/* What srun and salloc say of a job that has to wait, in Slurm's words; NULL: nothing of the
 * reason. */
const char *outcome_wait_words(uint32_t reason);
