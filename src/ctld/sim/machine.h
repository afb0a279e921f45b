/*
 * machine.h - a workload on a machine of equal processors: what traces are run on.
 */
#pragma once

#include "ctld/sim/sim.h"

enum sim_estimate { SIM_ESTIMATE_REQUEST, SIM_ESTIMATE_RUNTIME };

struct machine_run {
    struct workload *workload; /* start and end of its jobs are written */
    struct plan_policy policy;
    enum sim_estimate estimate;

    /* Now and then, when not NULL. */
    void (*on_progress)(void *ctx, uint32_t ended_n, uint32_t jobs_n);
    void *ctx;
};

/* All jobs have started and ended when this returns. The number of passes. */
uint64_t machine_run(const struct machine_run *run);
