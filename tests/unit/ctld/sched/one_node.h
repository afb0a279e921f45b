/* one_node.h - a job's part on the one node of a cluster, some cores of which others have. */
#pragma once

#include "ctld/sched/place/room.h"
#include "unit/ctld/sched/sim.h"

struct one_node {
    struct sim *sim;
    struct sched_cluster cluster;
    struct demand demand;
    struct cores cores;
};

/* `cluster` and `job` as sim.h has them, the job without its name; `gres` of the node may be NULL;
 * `busy` is a list of cpus. */
static inline struct one_node one_node_new(const char *cluster, const char *gres, const char *job,
                                           const char *busy)
{
    struct one_node one = { .sim = sim_new(cluster) };
    AUTO_FREE char *node_line = gres ? xasprintf("0: gres=%s", gres) : NULL;
    AUTO_FREE char *line = xasprintf("a: %s", job);
    AUTO(bitset) struct bitset set = { 0 };
    const struct sched_node *node;

    if (node_line)
        sim_node(one.sim, node_line);
    sim_job(one.sim, line);
    sched_cluster_init(&one.cluster, &one.sim->snapshot);
    node = &one.cluster.nodes[0];
    demand_init(&one.demand, &one.sim->jobs[0].ask.shape, one.sim->snapshot.policy.select,
                &one.cluster.partitions[0]);
    room_find(&one.demand, node, &node->all, 0, &one.cores);
    sim_set(&set, node->cpus, busy);
    bitset_minus(&one.cores.first, &set);
    return one;
}

static inline void one_node_clear(struct one_node *one)
{
    cores_clear(&one->cores);
    demand_clear(&one->demand);
    sched_cluster_clear(&one->cluster);
    sim_free(one->sim);
}
