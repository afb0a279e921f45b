/*
 * streams.h - what srun's -i, -o and -e mean: which streams srun carries itself, and which the
 * nodes open as files.
 *
 *     (nothing), all    carried by srun, for every task
 *     none              /dev/null, on the node
 *     N                 carried for task N only, when there is such a task; else the file "N"
 *     FILE              opened by srun; with %N %n %t in it by each node
 */
#pragma once

#include "cli/submit/options.h"

struct stream_plan {
    char *node_path;    /* pattern that nodes open, or NULL */
    char *srun_path;    /* pattern of a file that srun opens, or NULL */
    uint32_t only_task; /* of what srun carries; COUNT_UNSET: every task */
};

struct stream_plans {
    struct stream_plan in, out, err;
    bool no_input; /* nobody reads */
};

/* Makes the plans of all streams; relative names are below `dir`. */
void stream_plans_make(const struct submit_options *options, const char *dir,
                       struct stream_plans *ret_plans);
void stream_plans_clear(struct stream_plans *plans);
