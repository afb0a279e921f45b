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

#include "ctld/sched/future/future.h"
#include "ctld/sched/pick/kind.h"

#define SIGHT_BLOCK  64 /* nodes with a bound in common; a word of a bitset */
#define SIGHT_GROUP  8  /* and within it: */
#define SIGHT_GROUPS (SIGHT_BLOCK / SIGHT_GROUP)

struct sight {
    struct sight_family *family; /* of all for so much */
    int64_t length;
    int64_t *wakes;  /* of each node: no room before; room for whole blocks */
    int64_t *groups; /* the least of each group, or less */
    int64_t *first;  /* the least of each block, or less */
};

struct sights;

/* Borrows the cluster and the future. */
struct sights *sights_new(const struct sched_cluster *cluster, const struct future *future);
struct sights *sights_free(struct sights *sights);

/* Forget all that sights say, or what they say of one node. */
void sights_forget(struct sights *sights);
void sights_forget_node(struct sights *sights, uint32_t node);

/* Finds out some of what all sights begin with. Returns how many nodes were looked at; 0: all is
 * known. */
uint32_t sights_prepare(struct sights *sights, int64_t now_ms);

/*
 * Returns the sight for such jobs, valid until the next call. One that has to be begun costs as
 * much as looks at some nodes; their number is added.
 */
struct sight *sights_get(struct sights *sights, const struct kind *kind, int64_t length,
                         int64_t now_ms, uint32_t *looks_n);

/*
 * Lets all sights of the family learn what has changed on the node; their bounds are exact for it
 * then, and those of groups and blocks follow later. Returns false when nothing had changed.
 */
bool sights_learn_node(struct sights *sights, const struct sight *sight, uint32_t position,
                       int64_t now_ms);

/* Makes the bounds of the group and its block as good as those of the group's nodes. */
void sight_refresh(struct sight *sight, uint32_t group);

/* Returns as a mask which of the positions are in the group. */
static inline uint64_t sight_in_group(const struct bitset *positions, uint32_t group)
{
    return positions->words[group / SIGHT_GROUPS] >> group % SIGHT_GROUPS * SIGHT_GROUP & 0xff;
}
