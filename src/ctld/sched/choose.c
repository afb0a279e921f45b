#include "ctld/sched/choose.h"

#include "ctld/model/model.h"
#include "ctld/sched/fit.h"
#include "ctld/sched/need.h"
#include "ctld/sched/room.h"

/*
 * Far more than a job needs to find a place that fits well. Looking at all of a large cluster for
 * each of many starts would cost more than it brings.
 */
#define NODES_LOOKED_AT 300

uint32_t choose_wants(const struct kind *kind)
{
    return kind->nodes_min > NODES_LOOKED_AT ? kind->nodes_min : NODES_LOOKED_AT;
}

static struct fit_way way_of(const struct sched_cluster *cluster, const struct kind *kind)
{
    const struct plan_partition *partition = &cluster->partitions[kind->partition];

    return (struct fit_way){
        .least_loaded = partition->least_loaded || (cluster->policy.select & SELECT_LLN),
        .whole = kind->demand.unit == UNIT_NODE,
        .pack = cluster->policy.select & SELECT_PACK_NODES,
        .cpus_per_task = kind->demand.cpus_per_task,
        .dist = kind->shape.dist_nodes,
        .plane_size = kind->shape.plane_size,
    };
}

/* Cpus of the smallest part of a node that is given out. */
static uint32_t unit_on(const struct demand *demand, const struct sched_node *node)
{
    const uint32_t used = need_used(demand, node);

    if (demand->unit == UNIT_CPU || node->pool)
        return 1;
    return demand->unit == UNIT_SOCKET ? used * node->cores_per_socket : used;
}

/* Free cpus that the job could use; where jobs share cpus, of the roomiest row. */
static uint32_t cpus_on(const struct demand *demand, const struct sched_node *node,
                        const struct supply *free)
{
    uint64_t cores = 0;

    for (uint32_t row = 0; row < room_rows(demand, node); row++) {
        const struct room room = room_in_row(demand, node, free, row);

        cores = room.cores > cores ? room.cores : cores;
    }
    return (uint32_t)(cores * need_used(demand, node));
}

uint32_t choose_nodes(const struct sched_cluster *cluster, const struct kind *kind,
                      const struct pick_node *nodes, const struct supply *free, uint32_t n,
                      struct pick_node *ret_nodes)
{
    const struct pick_rule rule = kind_rule(kind);
    const struct fit_way way = way_of(cluster, kind);
    AUTO_FREE struct pick_node *seen = xcalloc(n + 1, sizeof(*seen));

    for (uint32_t i = 0; i < n; i++) {
        const struct sched_node *node = &cluster->nodes[nodes[i].node];

        seen[i] = nodes[i];
        seen[i].cpus = cpus_on(&kind->demand, node, &free[i]);
        seen[i].unit = unit_on(&kind->demand, node);
    }
    return fit_nodes(&rule, &way, seen, n, ret_nodes);
}
