/*
 * topology.h - the tree of switches that nodes hang on.
 *
 * Switches have the numbers of the snapshot. Owns everything. Without switches it is flat: no node
 * has a leaf. A node in no leaf stands alone; one in several belongs to the first.
 */
#pragma once

#include "ctld/sched/planner.h"

#define TOPOLOGY_NONE UINT32_MAX

struct sched_topology {
    uint32_t nodes_n, switches_n;
    uint32_t *leaf;   /* of each node: its leaf switch, or TOPOLOGY_NONE */
    uint32_t *parent; /* of each switch: the next one above, or TOPOLOGY_NONE */
    uint32_t *level;  /* of each switch */
};

void topology_init(struct sched_topology *topology, const struct plan_snapshot *snapshot);
void topology_clear(struct sched_topology *topology);

static inline bool topology_is_flat(const struct sched_topology *topology)
{
    return topology->switches_n == 0;
}
