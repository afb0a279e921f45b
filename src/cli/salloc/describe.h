/* describe.h - the SLURM_ variables of salloc's command: what the job was given. Pure. */
#pragma once

#include "cli/submit/environment.h"
#include "common/msg/job.h"

void salloc_describe(struct environment *environment, const struct job_event *granted);
