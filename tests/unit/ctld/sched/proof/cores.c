#include "unit/ctld/sched/proof/cores.h"

#include "ctld/model/model.h"
#include "unit/ctld/sched/proof/checker.h"

enum cores_unit cores_unit(const struct plan_snapshot *snapshot, const struct claim *claim)
{
    if (claim->job->shape.exclusive == PLAN_EXCLUSIVE_NODE ||
        snapshot->partitions[claim->partition].share == PLAN_SHARE_EXCLUSIVE ||
        (snapshot->policy.select & SELECT_LINEAR))
        return CORES_NODE;
    if (snapshot->policy.select & SELECT_SOCKET)
        return CORES_SOCKET;
    return snapshot->policy.select & SELECT_CPU ? CORES_CPU : CORES_CORE;
}

static uint32_t threads_of(const struct plan_node *node)
{
    return node->cpus == node->sockets * node->cores_per_socket * node->threads_per_core
               ? node->threads_per_core
               : 1;
}

static uint32_t unit_size(const struct plan_node *node, enum cores_unit unit)
{
    switch (unit) {
    case CORES_CPU: /* cores too, but the job is charged only what it uses */
    case CORES_CORE:
        return threads_of(node);
    case CORES_SOCKET:
        return node->cpus / node->sockets;
    case CORES_NODE:
        break;
    }
    return node->cpus;
}

/* Of the cpus [first, first + n): how many the job's tasks can use, and on how many cores. */
static uint64_t usable_of(const struct plan_node *node, const struct claim *claim,
                          const struct bitset *cpus, uint32_t first, uint32_t n, uint64_t *cores)
{
    const uint32_t threads = threads_of(node), most = claim->job->shape.threads_per_core;
    uint64_t usable = 0;

    for (uint32_t core = first; core < first + n; core += threads) {
        uint32_t has = 0;

        for (uint32_t cpu = core; cpu < core + threads; cpu++)
            has += bitset_has(cpus, cpu);
        usable += most && has > most ? most : has;
        *cores += has > 0;
    }
    return usable;
}

uint64_t cores_usable(const struct plan_snapshot *snapshot, const struct claim *claim,
                      const struct plan_place *place)
{
    const struct plan_node *node = &snapshot->nodes[place->node];
    uint64_t cores = 0;

    return usable_of(node, claim, &place->cpus, 0, node->cpus, &cores);
}

/* Whether these cpus are enough for the place's tasks. */
static bool will_do(const struct plan_snapshot *snapshot, const struct claim *claim,
                    const struct plan_place *place, const struct bitset *cpus)
{
    const struct plan_node *node = &snapshot->nodes[place->node];
    const struct plan_shape *shape = &claim->job->shape;
    const enum cores_unit unit = cores_unit(snapshot, claim);
    const uint64_t per_task = shape->cpus_per_task ? shape->cpus_per_task : 1;
    const uint64_t tasks = shape->overcommit ? 1 : place->tasks;
    uint64_t cores = 0;
    const uint64_t usable = usable_of(node, claim, cpus, 0, node->cpus, &cores);

    if (usable < tasks * per_task || usable < shape->min_cpus_per_node)
        return false;
    if ((snapshot->policy.select & SELECT_ONE_TASK_PER_CORE) && unit != CORES_CPU) {
        const uint64_t threads = threads_of(node), most = shape->threads_per_core;
        const uint64_t each = most && most < threads ? most : threads;

        return cores >= tasks * ((per_task + each - 1) / each);
    }
    return true;
}

/* Takes one unit away: what is left must be too little. */
static bool is_least(const struct plan_snapshot *snapshot, const struct claim *claim,
                     const struct plan_place *place)
{
    const struct plan_node *node = &snapshot->nodes[place->node];
    const uint32_t size = unit_size(node, cores_unit(snapshot, claim));

    for (uint32_t first = 0; first < node->cpus; first += size) {
        AUTO(bitset) struct bitset fewer = { 0 };

        if (!bitset_has(&place->cpus, first))
            continue;
        bitset_copy(&fewer, &place->cpus);
        for (uint32_t cpu = first; cpu < first + size; cpu++)
            bitset_del(&fewer, cpu);
        if (will_do(snapshot, claim, place, &fewer))
            return false;
    }
    return true;
}

static bool is_whole_units(const struct plan_node *node, enum cores_unit unit,
                           const struct bitset *cpus)
{
    const uint32_t size = unit_size(node, unit);

    for (uint32_t cpu = 0; cpu < node->cpus; cpu++) {
        const uint32_t first = cpu / size * size;

        if (node->barred.size && bitset_has(&node->barred, cpu)) {
            if (bitset_has(cpus, cpu))
                return false;
        } else if (bitset_has(cpus, cpu)) {
            for (uint32_t other = first; other < first + size; other++) {
                if (!bitset_has(cpus, other) &&
                    !(node->barred.size && bitset_has(&node->barred, other)))
                    return false;
            }
        }
    }
    return true;
}

bool cores_check(const struct plan_snapshot *snapshot, const struct claim *claim,
                 const struct plan_place *place, struct strbuf *problem)
{
    const struct plan_node *node = &snapshot->nodes[place->node];
    const enum cores_unit unit = cores_unit(snapshot, claim);

    if (place->cpus.size != node->cpus)
        return wrong(problem, "job %u: a set of %u cpus for the %u of node %u", claim->job->id,
                     place->cpus.size, node->cpus, place->node);
    if (!is_whole_units(node, unit, &place->cpus))
        return wrong(problem, "job %u: not whole cores, sockets or nodes on node %u",
                     claim->job->id, place->node);
    if (!will_do(snapshot, claim, place, &place->cpus))
        return wrong(problem, "job %u: too few cpus on node %u", claim->job->id, place->node);
    if (unit != CORES_NODE && !is_least(snapshot, claim, place))
        return wrong(problem, "job %u: too many cpus on node %u", claim->job->id, place->node);
    return true;
}
