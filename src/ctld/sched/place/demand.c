#include "ctld/sched/place/demand.h"

#include <string.h>

#include "common/base/minmax.h"
#include "ctld/model/model.h"
#include "ctld/sched/place/need.h"
#include "ctld/sched/place/room.h"
#include "ctld/sched/place/split.h"
#include "ctld/sched/place/take.h"

/* ---- what is asked ---- */

static bool is_exclusive(const struct plan_shape *shape, const struct plan_partition *partition)
{
    return shape->exclusive == PLAN_EXCLUSIVE_NODE || partition->share == OVERSUBSCRIBE_EXCLUSIVE;
}

static enum demand_unit unit_of(const struct plan_shape *shape, uint32_t select,
                                const struct plan_partition *partition)
{
    if (is_exclusive(shape, partition) || (select & SELECT_LINEAR))
        return UNIT_NODE;
    if (select & SELECT_SOCKET)
        return UNIT_SOCKET;
    return select & SELECT_CPU ? UNIT_CPU : UNIT_CORE;
}

static uint32_t rows_of(const struct plan_shape *shape, const struct plan_partition *partition)
{
    if (is_exclusive(shape, partition) ||
        (partition->share == OVERSUBSCRIBE_YES && !shape->oversubscribe))
        return 1;
    return sched_partition_rows(partition);
}

/* Returns whether cores are dealt over sockets: they are unless blocks are asked for, and single
 * cpus never are. */
static bool deals_in_turn(const struct plan_shape *shape, uint32_t select)
{
    if (select & SELECT_CPU)
        return false;
    if (shape->dist_sockets != DIST_DEFAULT)
        return shape->dist_sockets != DIST_BLOCK;
    return shape->dist_nodes != DIST_PLANE && !(select & SELECT_CORE_DIST_BLOCK);
}

/* Returns the most tasks on a node, by what the job says and by MaxCPUsPerNode, which cores are
 * rounded up to. */
static uint32_t tasks_most(const struct plan_shape *shape, const struct plan_partition *partition)
{
    uint32_t most = shape->ntasks;

    if (shape->ntasks_per_node)
        most = MIN(most, shape->ntasks_per_node);
    if (partition->cpus_per_node_max)
        most = MIN(most, partition->cpus_per_node_max / MAX(shape->cpus_per_task, 1));
    return most;
}

static void set_tasks(struct demand *demand, const struct plan_shape *shape,
                      const struct plan_partition *partition)
{
    demand->tasks_least = 1;
    if (shape->overcommit) { /* all tasks of a node share the cpus of one */
        demand->tasks_most = 1;
        return;
    }
    if (shape->ntasks == 0) {
        demand->tasks_least = MAX(shape->ntasks_per_node, 1);
        demand->tasks_most = demand->tasks_least;
        return;
    }
    demand->tasks = shape->ntasks;
    demand->tasks_most = tasks_most(shape, partition);
    if (shape->max_nodes == 1)
        demand->tasks_least = shape->ntasks;
}

/* Returns how many tasks may be on a core: several where that is asked for, one where that is the
 * rule of the cluster. */
static uint32_t tasks_per_core(const struct plan_shape *shape, uint32_t select)
{
    if (shape->ntasks_per_core)
        return shape->ntasks_per_core;
    return (select & SELECT_ONE_TASK_PER_CORE) && !(select & SELECT_CPU);
}

void demand_init(struct demand *demand, const struct plan_shape *shape, uint32_t select,
                 const struct plan_partition *partition)
{
    *demand = (struct demand){
        .unit = unit_of(shape, select, partition),
        .tasks_per_socket = shape->ntasks_per_socket,
        .tasks_per_core = tasks_per_core(shape, select),
        .cpus_per_task = MAX(shape->cpus_per_task, 1),
        .cpus_least = shape->min_cpus_per_node,
        .cpus_per_gpu = shape->cpus_per_gpu,
        .threads = shape->threads_per_core,
        .sockets = shape->sockets_per_node,
        .cores_per_socket = shape->cores_per_socket,
        .rows = rows_of(shape, partition),
        .spare = shape->spare,
        .spared_n = shape->spared_n,
        .one_core_per_socket = shape->one_core_per_socket,
        .binds_gres = shape->binds_gres,
        .takes_devices = is_exclusive(shape, partition),
        .deals_in_turn = deals_in_turn(shape, select),
        .counts_memory = select & SELECT_MEMORY,
        .all_memory = shape->whole_node_memory,
        .node_mb = shape->mem_per_node_mb,
        .cpu_mb = shape->mem_per_cpu_mb,
        .gpu_mb = shape->mem_per_gpu_mb,
    };
    set_tasks(demand, shape, partition);
    gres_wants_init(&demand->gres, shape);
    for (uint32_t i = 0; i < demand->gres.n; i++)
        demand->binds_gres = demand->binds_gres || demand->gres.at[i].per_socket > 0;
    if (demand->unit == UNIT_NODE) /* it has all cores, wherever they are */
        demand->binds_gres = false;
}

void demand_clear(struct demand *demand)
{
    gres_wants_clear(&demand->gres);
}

/* ---- a node ---- */

static struct demand_part least_part(const struct demand *demand)
{
    struct demand_part part = { .tasks = demand->tasks_least };

    for (uint32_t i = 0; i < demand->gres.pooled_n; i++)
        part.share.pooled[i] = 1;
    return part;
}

struct demand_least demand_least(const struct demand *demand, const struct sched_node *node)
{
    const struct demand_part part = least_part(demand);
    const uint64_t cores = split_least(demand, node, &part);
    const bool whole = demand->unit == UNIT_NODE;
    const uint32_t cpus = whole ? node->cpus_n : (uint32_t)(cores * node->threads);
    struct demand_least least = { .cpus = cpus };

    if (demand->rows == 1)
        least.cpus *= node->rows;
    least.amounts[PLAN_MEMORY] = need_memory(demand, node, cores, &part);
    gres_add_least(&demand->gres, node, part.tasks, least.amounts, &least.devices);
    if (sched_node_cap(node, demand->partition))
        least.amounts[sched_node_cap(node, demand->partition)] = cores;
    least.amounts_n = amounts_end(least.amounts);
    return least;
}

/* Limits what is pooled where each gpu brings its cpus and its memory along: those of all sorts
 * together must fit. `part` has one of each. */
static void limit_pooled(const struct demand *demand, const struct sched_node *node,
                         const struct room *room, uint64_t free_mb, const struct demand_part *part,
                         struct gres_share *most)
{
    uint64_t spare = UINT64_MAX;

    if (demand->cpus_per_gpu)
        spare = room->cores * need_used(demand, node) / demand->cpus_per_gpu;
    if (demand->counts_memory && demand->gpu_mb)
        spare = MIN(spare, free_mb / demand->gpu_mb);
    spare -= MIN(spare, gres_gpus(&demand->gres, part->tasks, &part->share));
    for (uint32_t i = 0; i < demand->gres.n; i++) {
        const struct gres_want *want = &demand->gres.at[i];
        uint64_t *pooled = want->pooled >= 0 ? &most->pooled[want->pooled] : NULL;
        uint64_t more;

        if (!pooled || *pooled == 0 || strcmp(want->name, "gpu") != 0)
            continue;
        more = MIN(*pooled - 1, spare);
        *pooled = 1 + more;
        spare -= more;
    }
}

static uint32_t tasks_in_room(const struct demand *demand, const struct sched_node *node,
                              const struct supply *free, uint32_t row, struct gres_share *ret_most)
{
    const struct room room = room_in_row(demand, node, free, row);
    const uint64_t free_mb = free->amounts[PLAN_MEMORY];
    struct demand_part part = least_part(demand);
    uint64_t tasks = MIN(room.tasks, demand->tasks_most);

    tasks = MIN(tasks, need_tasks_in_memory(demand, node, free_mb));
    if (tasks < demand->tasks_least)
        return 0;
    if (demand->gres.n)
        tasks = gres_tasks(&demand->gres, node, free, (uint32_t)tasks, ret_most);
    for (part.tasks = (uint32_t)tasks; part.tasks >= demand->tasks_least; part.tasks--) {
        if (part.tasks == 0)
            return 0;
        if (take_is_held(demand, node, free, row, &room, &part)) {
            limit_pooled(demand, node, &room, free_mb, &part, ret_most);
            return part.tasks;
        }
    }
    return 0;
}

static uint64_t pooled_in(const struct demand *demand, const struct gres_share *share)
{
    uint64_t n = 0;

    for (uint32_t i = 0; i < demand->gres.pooled_n; i++)
        n += share->pooled[i];
    return n;
}

/* ---- share by share ---- */

#define SHARES_MAX                                                                                 \
    4096 /* of a job; one with more is dealt out as if nothing depended on shares                  \
          */

bool demand_has_offers(const struct demand *demand)
{
    const struct gres_wants *wants = &demand->gres;
    uint64_t shares = 1;

    for (uint32_t i = 0; i < wants->pooled_n && shares <= SHARES_MAX; i++)
        shares *= MIN(wants->pooled[i], SHARES_MAX) + 1;
    if (wants->pooled_n == 0 || shares > SHARES_MAX)
        return false;
    return (demand->binds_gres && !demand->wishes_near) ||
           (wants->pooled_n > 1 && (demand->cpus_per_gpu || demand->gpu_mb));
}

static uint32_t tasks_sharing_row(const struct demand *demand, const struct sched_node *node,
                                  const struct supply *free, uint32_t row,
                                  const struct gres_share *share)
{
    const struct room room = room_in_row(demand, node, free, row);
    const uint64_t in_memory = need_tasks_in_memory(demand, node, free->amounts[PLAN_MEMORY]);
    struct demand_part part = { .share = *share };

    part.tasks = (uint32_t)MIN(MIN(room.tasks, in_memory), demand->tasks_most);
    for (; part.tasks >= MAX(demand->tasks_least, 1); part.tasks--) {
        if (gres_is_enough(&demand->gres, node, free, part.tasks, share) &&
            take_is_held(demand, node, free, row, &room, &part))
            return part.tasks;
    }
    return 0;
}

uint32_t demand_tasks_sharing(const struct demand *demand, const struct sched_node *node,
                              const struct supply *free, const struct gres_share *share)
{
    uint32_t most = 0;

    for (uint32_t row = 0; row < room_rows(demand, node); row++) {
        const uint32_t tasks = tasks_sharing_row(demand, node, free, row, share);

        most = MAX(most, tasks);
    }
    return most;
}

/* Returns the most tasks of any share, and the most that any share has of each resource. */
static uint32_t tasks_of_shares(const struct demand *demand, const struct sched_node *node,
                                const struct supply *free, struct gres_share *ret_most)
{
    const struct gres_share all = gres_share_most(&demand->gres, node, free);
    struct gres_share share = { 0 };
    uint32_t most = 0;

    while (gres_share_next(&share, &all, demand->gres.pooled_n)) {
        const uint32_t tasks = demand_tasks_sharing(demand, node, free, &share);

        most = MAX(most, tasks);
        for (uint32_t i = 0; tasks && i < demand->gres.pooled_n; i++)
            ret_most->pooled[i] = MAX(ret_most->pooled[i], share.pooled[i]);
    }
    return most;
}

uint32_t demand_tasks(const struct demand *demand, const struct sched_node *node,
                      const struct supply *free, struct gres_share *ret_most)
{
    uint32_t most = 0;

    if (demand_has_offers(demand))
        return tasks_of_shares(demand, node, free, ret_most);

    for (uint32_t row = 0; row < room_rows(demand, node); row++) {
        struct gres_share share = { 0 };
        const uint32_t tasks = tasks_in_room(demand, node, free, row, &share);

        if (tasks == 0 || tasks < most ||
            (tasks == most && pooled_in(demand, &share) <= pooled_in(demand, ret_most)))
            continue;
        most = tasks;
        *ret_most = share;
    }
    return most;
}

uint32_t demand_tasks_empty(const struct demand *demand, const struct sched_node *node,
                            struct gres_share *ret_most)
{
    if (node->cpus == 0 || node->threads < demand->threads ||
        (!node->counts_cpus &&
         (node->sockets < demand->sockets || node->cores_per_socket < demand->cores_per_socket)) ||
        demand->node_mb > node->all.amounts[PLAN_MEMORY] ||
        demand->cpu_mb > node->all.amounts[PLAN_MEMORY])
        return 0;
    return demand_tasks(demand, node, &node->all, ret_most);
}
