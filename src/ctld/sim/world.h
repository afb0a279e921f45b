/*
 * world.h - the controller with a played world around it: clock, nodes and users.
 *
 * The controller is the real one (ctld/control): jobs go the way of every job, and nothing here
 * decides about them. Nodes obey at once; a job's processes end when its run time is over, or when
 * the controller says so. Time is counted in milliseconds from the world's beginning and passes
 * only by world_advance.
 *
 * At one instant jobs end first, all that do; then comes what the caller makes happen.
 */
#pragma once

#include "ctld/control/control.h"
#include "ctld/sim/ends.h"

#define WORLD_NEVER INT64_MAX

/* A job of the simulation. Numbers count from 0, in the order of submission. */
struct world_job {
    uint32_t id; /* the controller's; 0: it was refused */
    int64_t run_ms;
    int64_t submit_ms, start_ms, end_ms; /* of its last start; or WORLD_NEVER */
    uint32_t state;                      /* enum job_state it ended in */
    uint32_t cpus;
    char *nodes; /* of its last start, as a host list; NULL: none */

    uint64_t serial; /* private: of its start, 0 when it does not run; launch on `first_node` */
    uint32_t launch_number;
    char *first_node;
};

struct world;

/*
 * `config` is taken over, also on failure. All nodes that it does not call down are up. `wall_s` is
 * what clocks show in the beginning. Fails as control_new does.
 */
int world_new(struct model_config *config, int64_t wall_s, struct world **ret, struct err *err);
struct world *world_free(struct world *world);

/*
 * A user submits a batch job that will run for `run_ms` when nothing ends it before. Returns its
 * number, or fails as sbatch would; a refused job has a number too, see world_refuse.
 */
int64_t world_submit(struct world *world, uint32_t uid, const struct job_spec *spec, int64_t run_ms,
                     struct err *err);

int world_cancel(struct world *world, uint32_t job, struct err *err);

/* An operator's word: `state` is of enum node_update_state. Jobs on a node that goes down end. */
int world_set_node(struct world *world, const char *names, uint32_t state, struct err *err);

/*
 * On to the next instant at which something happens, at most to `until_ms`. False: nothing more
 * happens by itself before `until_ms`, and if that is WORLD_NEVER, never; then the time is
 * `until_ms`, or unchanged.
 */
bool world_advance(struct world *world, int64_t until_ms);

int64_t world_now(const struct world *world);
uint32_t world_jobs_n(const struct world *world);
const struct world_job *world_job(const struct world *world, uint32_t job);
const struct control *world_control(const struct world *world);

/* What clients are told about the job: why it waits, and when it is planned. False: it is gone. */
bool world_job_info(const struct world *world, uint32_t job, struct job_info *ret);
