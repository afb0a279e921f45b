/* run.h - a command that runs here while a job has its nodes: salloc's, or srun itself. */
#pragma once

#include "cli/lib/command.h"
#include "cli/submit/options.h"

/*
 * Asks for options->job, which is filled, runs argv (ended by NULL) with the job's environment, and
 * gives the job back. `command` is connected. Returns what to exit with.
 */
int salloc_run(struct command *command, struct submit_options *options, char **argv);
