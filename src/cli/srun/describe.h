/*
 * describe.h - what srun -v says of the allocation and of the step, in the words that scripts look
 * for. Texts are appended, without "srun: " and line end. Pure.
 */
#pragma once

#include "common/msg/job.h"

/* Appends the allocation as "jobid 7: nodes(2):`n[1-2]', cpu counts: 3(x1),1(x1)". */
void describe_job(const struct job_record *job, struct strbuf *out);

/* Appends "CpuBindType=verbose,cores"; the type is null for "". `bind` is as in SLURM_CPU_BIND. */
void describe_binding(const char *bind, struct strbuf *out);

/* Appends "launching StepId=7.0 on host n1, 3 tasks: [0-2]". */
void describe_launch(const struct step_record *step, const struct step_node *node,
                     struct strbuf *out);
