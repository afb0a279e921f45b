/*
 * bcast.h - a file to all nodes of a job or step: the stream of pack.h to receivers that run there
 * as the user. For sbcast itself, and for srun --bcast.
 */
#pragma once

#include "cli/lib/command.h"
#include "cli/sbcast/pack.h"
#include "common/text/jobid.h"

/* Borrowed. `command` is connected. */
struct bcast_request {
    struct command *command;
    uint32_t job_id;
    const char *nodes; /* host list; NULL: all of the job */
    uint32_t nodes_n;
    const char *work_dir; /* only for the record */
    struct pack_source source;
    uint32_t timeout_s; /* without any progress; 0: any time */
};

/* Says what goes wrong, node by node. Returns 0, or the highest errno of a node; EIO for others. */
int bcast_run(const struct bcast_request *request);

/* A value of BcastParameters, as "DestDir"; NULL when there is none. The caller frees it. */
char *bcast_parameter(const struct slurm_conf *conf, const char *name);

/* Opens a regular file, and notes in `head` what its copies shall be; *ret_fd is the caller's. */
int bcast_open(const char *path, int *ret_fd, struct bcast_head *head, struct err *err);

/* The nodes of a job, or of a step that runs; the caller frees them. `command` is connected. */
int bcast_find_nodes(struct command *command, const struct job_ref *job, char **ret_nodes,
                     struct err *err);
