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

/* Borrows both. */
struct sights *sights_new(const struct sched_cluster *cluster, const struct future *future);
struct sights *sights_free(struct sights *sights);

/* All are wrong from now on; or what they say of one node is. */
void sights_forget(struct sights *sights);
void sights_forget_node(struct sights *sights, uint32_t node);

/* Some of what all of them begin with is found out. Returns the nodes looked at; 0: all is known.
 */
uint32_t sights_prepare(struct sights *sights, int64_t now_ms);

/*
 * The one for such jobs, begun if need be: that costs as much as looks at so many nodes, which are
 * added. Valid until the next call.
 */
struct sight *sights_get(struct sights *sights, const struct kind *kind, int64_t length,
                         int64_t now_ms, uint32_t *looks_n);

/*
 * What has changed on the node is learned by all sights of the family, whose bounds are exact for
 * it then; those of groups and blocks follow later. False: nothing had changed.
 */
bool sights_learn_node(struct sights *sights, const struct sight *sight, uint32_t position,
                       int64_t now_ms);

/* The bound of the group, and that of its block, is made as good as those of its nodes are. */
void sight_refresh(struct sight *sight, uint32_t group);

/* Those of a set of positions that are in the group, as a mask. */
static inline uint64_t sight_in_group(const struct bitset *positions, uint32_t group)
{
    return positions->words[group / SIGHT_GROUPS] >> group % SIGHT_GROUPS * SIGHT_GROUP & 0xff;
}
