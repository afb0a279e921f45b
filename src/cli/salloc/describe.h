/* describe.h - the SLURM_ variables of salloc's command: what the job was given. Pure. */
#pragma once

#include "cli/submit/environment.h"
#include "common/msg/job.h"

void salloc_describe(struct environment *environment, const struct job_event *granted);

/* "2(x3),1": each count, and how many in a row have it. */
char *salloc_fold_counts(const uint32_t *counts, uint32_t n);
