/*
 * sim.h - the planner, driven by a virtual clock.
 *
 * Holds no scheduling rule: what starts when is the planner's word. What is here is what the world
 * does around it: jobs are submitted, run and end, nodes come and go. Time jumps from one instant
 * at which something happens to the next.
 *
 * At one instant jobs that reach their limit give their cpus back first. Then come the inputs, in
 * their order; the planner looks at the queue after each submission of a job that finds as many
 * cpus free as it asks for, and after all other inputs. Then jobs end in the order in which they
 * started, those at their limit too, and the planner looks after each. (Two jobs that end in the
 * same second of a trace did not end at the same moment, so what the first frees is given away
 * before the second's is there. A limit is known before, so what it frees is counted on.)
 */
#pragma once

#include "ctld/sched/planner.h"
#include "ctld/sim/workload.h"

enum sim_input_kind {
    SIM_SUBMIT,
    SIM_CANCEL,
    SIM_NODE_UP,
    SIM_NODE_DOWN, /* jobs on it wait again, and begin anew */
    SIM_NODE_DRAIN,
};

struct sim_input {
    int64_t at_ms;
    enum sim_input_kind kind;
    uint32_t index; /* of the job, or the node */
};

/* Borrowed until sim_free. */
struct sim_setup {
    const struct plan_snapshot *cluster; /* its jobs are of those below, by sim_plan_id */
    const struct sim_input *inputs;      /* in order of time */
    uint32_t inputs_n;
    struct sim_job *jobs; /* start_ms and end_ms are written */
    uint32_t jobs_n;
    bool estimates_runs; /* the planner is told how long jobs run, not what they asked for */

    /* What job `index` asks for: all but id, times and what runs, which the simulation fills in.
     * What it points to stays valid until the next call. */
    void (*ask)(void *ctx, uint32_t index, struct plan_job *ret);
    /* May be NULL: the job starts on the decision's places. */
    void (*on_start)(void *ctx, uint32_t index, const struct plan_decision *decision);
    void *ctx;
};

struct sim;

struct sim *sim_new(const struct sim_setup *setup);
struct sim *sim_free(struct sim *sim);

/* On to the next instant at which something happens; false: nothing ever will. */
bool sim_advance(struct sim *sim);

int64_t sim_now(const struct sim *sim);
const struct planner *sim_planner(const struct sim *sim);

/* How many jobs have ended or were cancelled, and how often the planner looked at its queue. */
uint32_t sim_ended_n(const struct sim *sim);
uint64_t sim_passes_n(const struct sim *sim);

/* The planner's name for the job `index`. */
uint32_t sim_plan_id(uint32_t index);
