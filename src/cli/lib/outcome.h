/*
 * outcome.h - how a job or step went, in the words of several commands. Pure.
 */
#pragma once

#include "common/msg/job.h"

/* Appends exit code and signal of a wait status as "3:15". */
void outcome_add_exit(int32_t status, struct strbuf *out);

/*
 * Appends Slurm's word for why the job waits or ended so, and behind it the nodes that cannot be
 * had, with `blank` between the words.
 */
void outcome_add_reason(const struct job_record *job, char blank, struct strbuf *out);

/* Appends a script with its arguments, as it was called; nothing where there is no script. */
void outcome_add_command(const struct job_body *body, struct strbuf *out);

/* Appends an absolute path with its symbols replaced, as "/home/ann/slurm-7.out". */
void outcome_add_path(const struct job_record *job, const struct job_body *body,
                      const char *pattern, struct strbuf *out);

/* Appends the path of a batch job's stream; nothing for other jobs. */
void outcome_add_stream(const struct job_record *job, const struct job_body *body,
                        const char *pattern, struct strbuf *out);

/*
 * Appends how the step's tasks are dealt to its nodes, as "Block" or "Plane=2"; nothing for a batch
 * step.
 */
void outcome_add_distribution(const struct step_record *step, struct strbuf *out);

/* Returns what srun and salloc say of a job that has to wait, in Slurm's words; NULL: no reason is
   said. */
const char *outcome_wait_words(uint32_t reason);
