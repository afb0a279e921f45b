/*
 * claim.h - what a job takes and when, running or planned; all claims of one moment.
 *
 * Borrows jobs from the snapshot; owns the places.
 */
#pragma once

#include "ctld/sched/planner.h"

struct claim {
    const struct plan_job *job;
    const struct plan_option *option; /* of the job: it runs by it, or is planned by it */
    uint32_t partition;               /* that one's */
    int64_t from, to;                 /* [from, to); to PLAN_NEVER: no end */
    bool in_pool;                     /* it waits in private pools alone */
    uint32_t nodes_awaited;           /* then: at least; 0: it is not known, UINT32_MAX: none */
    struct plan_place *places;
    uint32_t places_n;
};

struct claims {
    struct claim *list; /* running ones first, then the planned ones by rank */
    uint32_t n, running_n;
};

/* Only what runs. */
struct claims claims_running(const struct plan_snapshot *snapshot);

/* Adds the planned place of each waiting job of the snapshot, as planner_look tells it. */
void claims_add_planned(struct claims *claims, const struct plan_snapshot *snapshot,
                        const struct planner *planner);

/* Adds a copy of the places. */
void claims_add(struct claims *claims, const struct plan_job *job, uint32_t option, int64_t from,
                int64_t to, const struct plan_place *places, uint32_t places_n);
void claims_clear(struct claims *claims);
void claims_auto_(struct claims *claims);

const struct plan_place *claim_place_on(const struct claim *claim, uint32_t node);
bool claims_overlap(const struct claim *a, const struct claim *b);

/* Adds a copy of the claim. */
void claims_copy(struct claims *claims, const struct claim *claim);

/* Whether the place has all cpus of its node, so that no job can be beside it; whether a job that
 * is run by the option has its nodes so. */
bool place_is_whole(const struct plan_node *node, const struct plan_place *place);
bool option_takes_whole_nodes(const struct plan_snapshot *snapshot, const struct plan_job *job,
                              const struct plan_option *option);

/* from + duration, PLAN_NEVER when the duration is. */
int64_t claim_end(int64_t from, int64_t duration_ms);

/* The waiting jobs, in the order in which they are planned; free it. */
const struct plan_job **jobs_by_rank(const struct plan_snapshot *snapshot, uint32_t *ret_n);

/* A deep copy of one place. */
void place_keep(struct plan_place *to, const struct plan_place *from);
void place_drop(struct plan_place *place);

/* Deep copies of places; released with places_drop. */
struct plan_place *places_keep(const struct plan_place *places, uint32_t n);
void places_drop(struct plan_place *places, uint32_t n);
