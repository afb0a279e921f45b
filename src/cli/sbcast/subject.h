/* subject.h - what sbcast and srun --bcast send, and whereto. */
#pragma once

#include "cli/lib/command.h"
#include "common/msg/bcast.h"
#include "common/text/jobid.h"

/*
 * Returns a value of BcastParameters, such as "DestDir"; NULL when it is not set. The caller frees
 * it.
 */
char *bcast_parameter(const struct slurm_conf *conf, const char *name);

/* Opens a regular file, and fills `head` with what its copies shall be; *ret_fd is the caller's. */
int bcast_open(const char *path, int *ret_fd, struct bcast_head *head, struct err *err);

/* Finds the nodes of a job, or of a running step; the caller frees them. `command` is connected. */
int bcast_find_nodes(struct command *command, const struct job_ref *job, char **ret_nodes,
                     struct err *err);
