/* figures.h - what a job had and what it used. Pure. */
#pragma once

#include "common/msg/job.h"

struct seff_figures {
    uint32_t ncpus, nnodes; /* at least 1 */
    int64_t elapsed_s;
    uint64_t cpu_s;     /* of all steps that have ended, to the nearest second */
    uint64_t memory_kb; /* see README.md */
    uint32_t tasks;     /* of the step that this is */
    uint64_t asked_kb;  /* of the whole job; 0: no amount was asked for */
    bool per_node;      /* asked for each node, not for each cpu */
    int64_t limit_s;    /* LIMIT_UNSET, LIMIT_INFINITE, or seconds */
    bool ran_out;       /* killed for want of memory */
};

struct seff_figures seff_figures_of(const struct history_job *history);
