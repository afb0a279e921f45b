/*
 * sight.h - what looking into the future has taught: moments before which looking is in vain.
 *
 * A sight is how jobs that need at least so many cpus of a node for at least so long see the nodes:
 * for each, a moment before which it has no such room. Jobs of many kinds share one, as lower
 * bounds are all that it gives. While nothing is given back the future only fills up, so that they
 * stay bounds; of a node that gets something back, they are forgotten. Nodes are named by their
 * position in the cluster's order of preference.
 */
#pragma once

#include "ctld/sched/kind.h"

#define SIGHT_BLOCK 64 /* nodes with a bound in common; a word of a bitset */

struct sight_key {
    uint32_t cpus; /* SIGHT_WHOLE: all of the node */
    int64_t length;
};
#define SIGHT_WHOLE UINT32_MAX

struct sight {
    struct sight_key key;
    int64_t *wakes; /* of each node: no room before */
    int64_t *first; /* the least of each block, or less */
    UT_hash_handle hh;
};

struct sights;

struct sights *sights_new(const struct sched_cluster *cluster);
struct sights *sights_free(struct sights *sights);

/* All are wrong from now on; or what they say of one node is. */
void sights_forget(struct sights *sights);
void sights_forget_node(struct sights *sights, uint32_t node);

/* The one for such jobs, begun if need be. Valid until the next call. */
struct sight *sights_get(struct sights *sights, const struct kind *kind, int64_t length);

/* The one for all jobs: it bounds every other. `fresh`: it knows nothing yet. */
struct sight *sights_base(struct sights *sights, bool *ret_fresh);

/* No room on the node before `wake`. Tell the block when all of it is known (sight_learned). */
void sight_raise(struct sight *sight, uint32_t position, int64_t wake);
void sight_learned(struct sight *sight, const struct sched_cluster *cluster, uint32_t block);

/* What such jobs need of the node at least. */
struct demand_least sight_least(const struct sight *sight, const struct sched_node *node);
