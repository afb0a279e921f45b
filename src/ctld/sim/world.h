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

#include "common/msg/reservation.h"
#include "ctld/control/feed/beside.h"
#include "ctld/model/model.h"
#include "ctld/sim/ends.h"

#define WORLD_NEVER INT64_MAX

/* What clocks show in the beginning if nobody says otherwise: 2000-01-01 00:00:00 UTC. */
#define WORLD_WALL_S INT64_C(946684800)

/* A job of the simulation. Numbers count from 0, in the order of submission. */
struct world_job {
    uint32_t id; /* the controller's; 0: it was refused */
    int64_t run_ms;
    int64_t submit_ms, start_ms, end_ms; /* of its last start; or WORLD_NEVER */
    uint32_t state;                      /* enum job_state it ended in */
    char *nodes;                         /* of its last start, as a host list; NULL: none */

    uint64_t serial; /* private: of its start, 0 when it does not run */
    uint32_t launch_number;
    struct plan_claim *claims; /* owned; of the pools that the world began with */
    uint32_t claims_n;
    char *first_node; /* where its script runs; NULL: it ran when the world began */
};

struct world;

/* What a world begins with. All lists empty: an idle cluster whose nodes are all up. */
struct world_begin {
    int64_t wall_s;                /* what clocks show */
    const struct node_info *nodes; /* as a controller told them; others are not there */
    uint32_t nodes_n;
    const struct job_info *jobs;   /* waiting and running ones become jobs of the world, in this */
    uint32_t jobs_n;               /* order; they run up to their limits */
    const struct plan_pool *pools; /* beside the licences; copied, names borrowed. Moments are */
    uint32_t pools_n;              /* the world's */
    char *const *users;            /* borrowed: names of users, the first one with this uid; */
    uint32_t users_n, first_uid;   /* others are named "user" */
};

/* Makes a world. `config` is taken over, also on failure. Fails as control_new does. */
int world_new(struct model_config *config, const struct world_begin *begin, struct world **ret,
              struct err *err);
struct world *world_free(struct world *world);

/* Submits a user's batch job that will run for `run_ms` when nothing ends it before. Returns its
 * number, or fails as sbatch would; a refused job has a number too, of which nothing comes. */
int64_t world_submit(struct world *world, uint32_t uid, const struct job_spec *spec, int64_t run_ms,
                     struct err *err);

/* Says what the job that is submitted next claims of pools. The texts are borrowed. */
void world_claim(struct world *world, const struct plan_claim *claims, uint32_t n);

/* Gives a pool another total, or a gate another moment. */
void world_set_pool(struct world *world, uint32_t number, const struct plan_pool *pool);

/* Makes, changes or removes a reservation as root does. */
int world_reserve(struct world *world, const struct reservation_change *change, struct err *err);

int world_cancel(struct world *world, uint32_t job, struct err *err);

/* Sets nodes as an operator does; `state` is of enum node_update_state. Jobs on a node that goes
 * down end. */
int world_set_node(struct world *world, const char *names, uint32_t state, struct err *err);

/*
 * Goes on to the next instant at which something happens, at most to `until_ms`. False: nothing
 * more happens by itself before `until_ms`, and if that is WORLD_NEVER, never; then the time is
 * `until_ms`, or unchanged.
 */
bool world_advance(struct world *world, int64_t until_ms);

int64_t world_now(const struct world *world);
uint32_t world_jobs_n(const struct world *world);
const struct world_job *world_job(const struct world *world, uint32_t job);
const struct control *world_control(const struct world *world);

/* Returns what clients are told of the job: why it waits, when it is planned. False: it is gone. */
bool world_job_info(const struct world *world, uint32_t job, struct job_info *ret);
