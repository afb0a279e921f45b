/*
 * program.h - srun --bcast: the program goes to all nodes of the job before the step that runs it.
 */
#pragma once

#include "cli/lib/command.h"
#include "cli/submit/options.h"
#include "common/msg/job.h"

/* True if --bcast or SLURM_BCAST asks to send the program. */
bool program_is_sent(const struct submit_options *options);

/*
 * Copies step->argv[0], which is looked for as the shell would, and lets the step run the copies.
 * The job must have its nodes. Prints errors itself; returns 0 or what srun exits with.
 */
int program_send(struct command *command, const struct submit_options *options, uint32_t job_id,
                 struct step_spec *step);
