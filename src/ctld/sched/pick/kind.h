/*
 * kind.h - jobs that ask for the same: one kind, one answer.
 *
 * Jobs of the same partition and shape are of one kind, however long they run. A kind keeps what is
 * found out for one of its jobs and holds for all: the nodes that could take a part, and whether it
 * could ever start. Queues of thousands of jobs are made of few kinds.
 */
#pragma once

#include <uthash.h>

#include "ctld/sched/place/constraint.h"
#include "ctld/sched/place/demand.h"
#include "ctld/sched/memo/negative_cache.h"

/* What a kind asks of a node of one model. */
struct kind_need {
    bool admitted;
    struct demand_least least;
    uint32_t tasks_max; /* that an empty node holds */
    uint32_t able_n;    /* how many nodes of the model are able */
    struct gres_share pooled_max;
    uint64_t features; /* constraint_bits of the kind's constraint */
};

struct kind {
    char *key; /* what was asked, as bytes: see kind.c */
    uint32_t key_n;
    uint32_t jobs_n;

    uint32_t partition, reservation;
    struct plan_shape shape; /* owned */
    struct demand demand;
    struct constraint constraint;          /* without alternatives: none */
    const struct sched_topology *topology; /* borrowed */
    uint32_t nodes_min, nodes_max;
    uint32_t least_cpus; /* that it takes of any node; UINT32_MAX: all */
    uint32_t least_devices;
    struct bitset able;      /* nodes that could take a part were they empty: their positions in the
                                cluster's order */
    struct bitset open;      /* the usable ones of these */
    struct kind_need *needs; /* by the node's model */
    bool takes_same;         /* wherever numbers let it start: needs is all that it asks */
    bool fits_ever;          /* were all nodes empty and usable */
    bool fits_usable;        /* were all usable nodes empty */
    uint64_t usable_number;  /* of kinds->usable_number when fits_usable was found out */
    uint32_t nodes_least;    /* see kind_nodes_least; 0: it was not asked */
    struct negative_cache planned; /* by plan->gives_n */
    struct negative_cache put_off; /* for a start now, behind all plans; by the plan's log */
    UT_hash_handle hh;
};

struct kinds {
    const struct sched_cluster *cluster;
    struct kind *table;
    uint64_t usable_number;  /* rises when a node becomes usable, or no more */
    uint32_t *position;      /* of each node in the cluster's order; sets of these: */
    struct bitset *of_model; /* by model */
    struct bitset *of_partition;
    struct bitset usable;
    uint64_t usable_of; /* the usable_number that this was true for */
};

void kinds_init(struct kinds *kinds, const struct sched_cluster *cluster);
void kinds_clear(struct kinds *kinds);

/* Finds where these nodes come in the cluster's order. `ret` is initialized by this. */
void kinds_find_positions(const struct kinds *kinds, const struct bitset *nodes,
                          struct bitset *ret);

/* Returns the kind of jobs of the shape in a partition and a reservation, counted once more. */
struct kind *kinds_get(struct kinds *kinds, const struct plan_shape *shape, uint32_t partition,
                       uint32_t reservation);
void kinds_put(struct kinds *kinds, struct kind *kind);

/* Returns whether the kind could start on the usable nodes, were they empty; also finds out which
 * are open. */
bool kind_fits_usable(struct kinds *kinds, struct kind *kind);

/* Returns the fewest nodes that could ever hold the kind, were they empty and usable. */
uint32_t kind_nodes_least(const struct kinds *kinds, struct kind *kind);

/* Returns how many tasks the node may be given that has room for `most`; 0: it is of no use. */
uint32_t kind_tasks(const struct kind *kind, uint32_t node, uint32_t most);

/* Returns the rule for which nodes to pick and how many tasks on each; see pick.h. The required
 * nodes must be among those offered. */
struct pick_rule;
struct pick_rule kind_rule(const struct kind *kind);

/* Returns whether a search tells for sure that there is no place: then jobs of the kind share
 * that. */
bool kind_is_searched_wholly(const struct kind *kind);
