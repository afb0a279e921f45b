/* wait.h - sbatch --wait. */
#pragma once

#include "cli/lib/command.h"

/*
 * Follows the job to its end, also over restarts of the controller. Returns what sbatch exits with:
 * the script's exit code, or 1 when the job ended in another way than by itself.
 */
int sbatch_wait(struct command *command, uint32_t job_id);
