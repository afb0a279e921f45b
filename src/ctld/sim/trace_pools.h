/*
 * trace_pools.h - pools for the jobs of a trace: some that never run out, and limits of its users.
 *
 * Owns its lists. A job claims one of each of the pools that never run out, which shows what claims
 * cost, and its processors of the private pool of its user.
 */
#pragma once

#include "ctld/sched/planner.h"
#include "ctld/sim/workload.h"

#define TRACE_CLAIMS_MAX 1000

/* The limits that are asked for; all 0: none. */
struct trace_limits {
    uint32_t claims_n;   /* pools with one for each processor and one more */
    uint32_t user_procs; /* that a user's jobs hold at one time, or as many as his largest asks for;
                            0: any */
};

struct trace_pools {
    struct plan_pool *pools;
    uint32_t pools_n;
    struct plan_claim *claims; /* of one job, see trace_claims */
    uint32_t claims_n;
    int64_t *users; /* rising: each one's pool comes behind those that never run out */
    uint32_t users_n;
};

void trace_pools_init(struct trace_pools *pools, const struct workload *workload,
                      const struct trace_limits *limits);
void trace_pools_clear(struct trace_pools *pools);

/* Returns what the job claims, valid until the next call. */
const struct plan_claim *trace_claims(struct trace_pools *pools, const struct sim_job *job,
                                      uint32_t *ret_n);
