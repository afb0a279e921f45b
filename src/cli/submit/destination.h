/*
 * destination.h - the cluster that a job is submitted to: of several, the one that starts it first.
 */
#pragma once

#include "cli/lib/command.h"
#include "cli/submit/environment.h"
#include "cli/submit/options.h"

/*
 * Goes over to the cluster that --clusters names. Of several each is asked when it would start
 * options->job, which is filled; the earliest is taken, this one before others, then by name. Who
 * does not answer or refuses is said. Returns -1 when there is none, which has been said, too.
 */
int destination_choose(struct command *command, const struct submit_options *options);

/* Goes over to the cluster of the job that this runs in, where that is another one's. */
void destination_follow(struct command *command);

/* Sets SLURM_WORKING_CLUSTER where --clusters was given: srun in the allocation goes by it. */
void destination_describe(const struct command *command, const struct submit_options *options,
                          struct environment *environment);
