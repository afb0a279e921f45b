#include "ctld/sched/pick/choose.h"

#include "ctld/model/model.h"
#include "ctld/sched/pick/fit.h"
#include "ctld/sched/place/need.h"
#include "ctld/sched/place/room.h"
#include "ctld/sched/place/take.h"

/*
 * Looking at this many nodes is far more than a job needs to find a place that fits well. Looking
 * at all of a large cluster for each of many starts would cost more than it brings.
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

/* Returns the cpus of the smallest part of a node that is given out, not counting those that tasks
 * leave idle. */
static uint32_t unit_on(const struct demand *demand, const struct sched_node *node)
{
    const uint32_t tasks = demand->tasks_per_core * demand->cpus_per_task;
    uint32_t used = need_used(demand, node);

    if (demand->unit == UNIT_CPU || node->counts_cpus)
        return 1;
    if (tasks && tasks < used)
        used = tasks;
    return demand->unit == UNIT_SOCKET ? used * node->cores_per_socket : used;
}

/*
 * Returns the free cpus that the job could use; where jobs share cpus, of the roomiest row. As in
 * Slurm, these are the ones near its devices, and where each task has devices of its own, those of
 * the tasks that the free devices are enough for.
 */
static uint32_t cpus_on(const struct demand *demand, const struct sched_node *node,
                        const struct supply *free, const struct pick_node *offer)
{
    const uint64_t tasks = gres_tasks_served(&demand->gres, node, free);
    struct demand_part part = { .tasks = offer->tasks, .share = offer->share, .now = true };
    uint64_t cores = 0, cpus;

    for (uint32_t row = 0; row < room_rows(demand, node); row++) {
        const struct room room = room_in_row(demand, node, free, row);

        cores = room.cores > cores ? room.cores : cores;
    }
    if (tasks < UINT64_MAX)
        part.tasks = (uint32_t)tasks;
    if (demand->gres.n && !node->counts_cpus) {
        const uint32_t near = take_cores_near(demand, node, free, &part);

        cores = near < cores ? near : cores;
    }
    cpus = cores * need_used(demand, node);
    if (tasks < UINT64_MAX && tasks * demand->cpus_per_task < cpus)
        cpus = tasks * demand->cpus_per_task;
    return (uint32_t)cpus;
}

/* The nodes as the choice wants to see them, those that are of use. */
struct view {
    const struct sched_cluster *cluster;
    const struct kind *kind;
    const struct pick_node *nodes;
    const struct supply *free;
    uint32_t n;
};

static void see_node(const struct view *view, const struct demand *demand, uint32_t i,
                     struct pick_node *ret)
{
    const struct sched_node *node = &view->cluster->nodes[view->nodes[i].node];

    ret->cpus = cpus_on(demand, node, &view->free[i], ret);
    ret->unit = unit_on(demand, node);
    ret->reserve = demand->unit == UNIT_CPU && !node->counts_cpus ? need_used(demand, node) : 1;
    if (demand->gres.pooled_n) {
        const struct demand_part part = { .tasks = ret->tasks, .share = ret->share };

        ret->close = take_most_close(demand, node, &view->free[i], &part);
    }
}

static uint32_t choose_of(const struct view *view, const struct demand *demand,
                          const struct pick_node *seen, uint32_t n, struct pick_node *ret_nodes)
{
    const struct fit_way way = way_of(view->cluster, view->kind);
    struct pick_rule rule = kind_rule(view->kind);

    rule.offers = demand_has_offers(demand) ? demand : NULL;
    return fit_nodes(&rule, &way, seen, n, ret_nodes);
}

/* Chooses by what the nodes can do for such a demand, which asks no less than the job's. */
static uint32_t choose_as(const struct view *view, const struct demand *demand,
                          struct pick_node *seen, struct pick_node *ret_nodes)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < view->n; i++) {
        const uint32_t number = view->nodes[i].node;
        struct pick_node offer = view->nodes[i];

        offer.share = (struct gres_share){ 0 };
        offer.tasks =
            demand_tasks(demand, &view->cluster->nodes[number], &view->free[i], &offer.share);
        offer.tasks = kind_tasks(view->kind, number, offer.tasks);
        if (offer.tasks == 0)
            continue;
        seen[n] = offer;
        see_node(view, demand, i, &seen[n++]);
    }
    return choose_of(view, demand, seen, n, ret_nodes);
}

/*
 * Chooses as Slurm does: rather more nodes than cores away from the devices, and rather other nodes
 * than cores that are shared.
 */
static uint32_t choose_strictly(const struct view *view, struct pick_node *seen,
                                struct pick_node *ret_nodes)
{
    const struct demand *demand = &view->kind->demand;
    const bool binds = demand->gres.n && !demand->binds_gres && demand->unit != UNIT_NODE;
    struct demand strict = *demand;
    uint32_t chosen = 0;

    strict.rows = 1;
    strict.binds_gres = binds || demand->binds_gres;
    strict.wishes_near = binds;
    if (binds || demand->rows > 1)
        chosen = choose_as(view, &strict, seen, ret_nodes);
    if (chosen || !binds || demand->rows == 1)
        return chosen;
    strict.binds_gres = demand->binds_gres;
    chosen = choose_as(view, &strict, seen, ret_nodes);
    if (chosen)
        return chosen;
    strict.binds_gres = true;
    strict.rows = demand->rows;
    return choose_as(view, &strict, seen, ret_nodes);
}

uint32_t choose_nodes(const struct sched_cluster *cluster, const struct kind *kind,
                      const struct pick_node *nodes, const struct supply *free, uint32_t n,
                      struct pick_node *ret_nodes)
{
    const struct view view = { cluster, kind, nodes, free, n };
    AUTO_FREE struct pick_node *seen = xcalloc(n + 1, sizeof(*seen));
    const uint32_t chosen = choose_strictly(&view, seen, ret_nodes);

    if (chosen)
        return chosen;
    for (uint32_t i = 0; i < n; i++) {
        seen[i] = nodes[i];
        see_node(&view, &kind->demand, i, &seen[i]);
    }
    return choose_of(&view, &kind->demand, seen, n, ret_nodes);
}
