/*
 * replay.h - a trace on a cluster as slurm.conf describes it: every job goes through the
 * controller.
 *
 * A job of the trace asks for as many tasks as it had processors, of one cpu each, for the
 * requested time; the rest is the partition's and the configuration's business.
 */
#pragma once

#include "ctld/sim/machine.h"
#include "ctld/sim/world.h"

/* A queue of the trace, by number, and the partition to which its jobs go. */
struct replay_queue {
    int64_t number;
    const char *partition;
};

struct replay_run {
    struct workload *workload;   /* start and end of its jobs are written */
    struct model_config *config; /* taken over, also on failure */
    enum sim_estimate estimate;
    struct trace_limits limits;
    const struct replay_queue *queues; /* others go to the default partition */
    uint32_t queues_n;

    /* Called now and then, when not NULL. */
    void (*on_progress)(void *ctx, uint32_t submitted_n, uint32_t jobs_n);
    void *ctx;
};

struct replay_result {
    struct world *world; /* the caller frees it; its jobs are in the workload's order */
    uint64_t passes_n;
    uint32_t refused_n;
    struct err refusal; /* the first one */
};

/* Replays the trace. Fails when the cluster cannot be built. Jobs that were refused, or wait for
 * ever, did not start. */
int replay_run(const struct replay_run *run, struct replay_result *ret, struct err *err);

/* Returns the cpus of the cluster: the size of the machine that a workload for it is made for. */
uint32_t replay_cpus(const struct model_config *config);
