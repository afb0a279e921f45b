/*
 * bcast.h - a file to all nodes of a job or step: the stream of pack.h to receivers that run there
 * as the user. For sbcast itself, and for srun --bcast.
 */
#pragma once

#include "cli/lib/command.h"
#include "cli/sbcast/pack.h"

/* A file and the nodes that it goes to; borrowed. `command` is connected. */
struct bcast_request {
    struct command *command;
    uint32_t job_id;
    const char *nodes; /* host list; NULL: all of the job */
    uint32_t nodes_n;
    const char *work_dir; /* only for the record */
    struct pack_source source;
    uint32_t timeout_s; /* without any progress; 0: any time */
};

/*
 * Sends the file, printing errors node by node. Returns 0, or the highest errno of a node; EIO for
 * others.
 */
int bcast_run(const struct bcast_request *request);
