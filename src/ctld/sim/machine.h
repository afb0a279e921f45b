/*
 * machine.h - a workload on a machine of equal processors: the planner, driven by a virtual clock.
 *
 * Holds no scheduling rule: what starts when is the planner's word. What is here is what the world
 * does around it: jobs are submitted, run and end. Time jumps from one instant at which something
 * happens to the next.
 *
 * At one instant jobs that reach their limit give their processors back first. Then come the
 * submissions, in their order; the planner looks at the queue after each of a job that finds as
 * many processors free as it asks for. Then jobs end in the order in which they started, those at
 * their limit too, and the planner looks after each. (Two jobs that end in the same second of a
 * trace did not end at the same moment, so what the first frees is given away before the second's
 * is there. A limit is known before, so what it frees is counted on.)
 */
#pragma once

#include "ctld/sched/planner.h"
#include "ctld/sim/trace_pools.h"

enum sim_estimate { SIM_ESTIMATE_REQUEST, SIM_ESTIMATE_RUNTIME };

struct machine_run {
    struct workload *workload; /* start and end of its jobs are written */
    struct plan_policy policy;
    enum sim_estimate estimate; /* what the planner is told about how long jobs run */
    struct trace_limits limits;

    /* Called now and then, when not NULL. */
    void (*on_progress)(void *ctx, uint32_t ended_n, uint32_t jobs_n);
    void *ctx;
};

/* Runs until all jobs have started and ended. Returns the number of passes over the queue. */
uint64_t machine_run(const struct machine_run *run);
