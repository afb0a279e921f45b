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

#define SIGHT_BLOCK  64 /* nodes with a bound in common; a word of a bitset */
#define SIGHT_GROUP  8  /* and within it: */
#define SIGHT_GROUPS (SIGHT_BLOCK / SIGHT_GROUP)

struct sight_key {
    uint32_t cpus; /* SIGHT_WHOLE: all of the node */
    uint32_t devices;
    int64_t length;
};
#define SIGHT_WHOLE UINT32_MAX

struct sight {
    struct sight_key key;
    struct demand_least *least; /* that such jobs need of a node, by its model */
    int64_t *wakes;             /* of each node: no room before; room for whole blocks */
    int64_t *groups;            /* the least of each group, or less */
    int64_t *first;             /* the least of each block, or less */
    struct sight *alike;        /* the next one for so much, in a ring */
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

/*
 * What a look at the node has found: the first stretch that is long enough. All sights for so
 * much learn from it, the bounds of groups and blocks later.
 */
struct future_gap;
void sight_learn(struct sight *sight, uint32_t position, const struct future_gap *gap);

/* The bound of the group, and that of its block, is made as good as those of its nodes are. */
void sight_refresh(struct sight *sight, uint32_t group);

/* Those of a set of positions that are in the group, as a mask. */
static inline uint64_t sight_in_group(const struct bitset *positions, uint32_t group)
{
    return positions->words[group / SIGHT_GROUPS] >> group % SIGHT_GROUPS * SIGHT_GROUP & 0xff;
}
