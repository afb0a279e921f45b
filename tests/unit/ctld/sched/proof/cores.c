#include "unit/ctld/sched/proof/cores.h"

#include <inttypes.h>

#include "ctld/model/model.h"
#include "unit/ctld/sched/proof/checker.h"
#include "unit/ctld/sched/proof/gres.h"

enum cores_unit cores_unit(const struct plan_snapshot *snapshot, const struct claim *claim)
{
    if (claim->job->shape.exclusive == PLAN_EXCLUSIVE_NODE ||
        snapshot->partitions[claim->partition].share == OVERSUBSCRIBE_EXCLUSIVE ||
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

/* What some cpus of a node come to for the job. */
struct held {
    uint64_t cores, usable, tasks;
};

static uint64_t less(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Cpus of each core that the job uses. */
static uint64_t used_of_core(const struct plan_node *node, const struct plan_shape *shape)
{
    return shape->threads_per_core ? less(shape->threads_per_core, threads_of(node))
                                   : threads_of(node);
}

static uint64_t tasks_per_core(const struct plan_snapshot *snapshot, const struct plan_shape *shape)
{
    if (shape->ntasks_per_core)
        return shape->ntasks_per_core;
    return (snapshot->policy.select & SELECT_ONE_TASK_PER_CORE) &&
           !(snapshot->policy.select & SELECT_CPU);
}

/* Where tasks per core are bounded, a core has whole tasks, or a task whole cores. */
static uint64_t tasks_on(uint64_t cores, uint64_t used, uint64_t each, uint64_t per_core)
{
    if (per_core == 0 || per_core >= used)
        return cores * used / each;
    if (each >= used)
        return cores / ((each + used - 1) / used);
    return cores * less(per_core, used / each);
}

/* Tasks that a socket may have, 0: any, as where a task is wider than a whole socket. */
static uint64_t tasks_per_socket(const struct plan_snapshot *snapshot, const struct plan_node *node,
                                 const struct plan_shape *shape)
{
    const uint64_t cores = node->cpus / node->sockets / threads_of(node);
    const uint64_t each = shape->cpus_per_task ? shape->cpus_per_task : 1;

    return tasks_on(cores, used_of_core(node, shape), each, tasks_per_core(snapshot, shape))
               ? shape->ntasks_per_socket
               : 0;
}

/* The cpus of one socket, [first, first + n). */
static void add_socket(const struct plan_snapshot *snapshot, const struct plan_node *node,
                       const struct plan_shape *shape, const struct bitset *cpus, uint32_t first,
                       uint32_t n, struct held *held)
{
    const uint64_t each = shape->cpus_per_task ? shape->cpus_per_task : 1;
    const uint64_t used = used_of_core(node, shape);
    uint64_t cores = 0, tasks;

    for (uint32_t core = first; core + threads_of(node) <= first + n; core += threads_of(node))
        cores += bitset_has(cpus, core);
    if (shape->one_core_per_socket)
        cores = less(cores, 1);
    tasks = tasks_on(cores, used, each, tasks_per_core(snapshot, shape));
    held->cores += cores;
    held->usable += cores * used;
    held->tasks += less(tasks, tasks_per_socket(snapshot, node, shape));
}

static struct held hold(const struct plan_snapshot *snapshot, const struct claim *claim,
                        uint32_t number, const struct bitset *cpus)
{
    const struct plan_node *node = &snapshot->nodes[number];
    const struct plan_shape *shape = &claim->job->shape;
    const uint32_t socket = node->cpus / node->sockets;
    struct held held = { 0 };

    for (uint32_t first = 0; first + socket <= node->cpus; first += socket)
        add_socket(snapshot, node, shape, cpus, first, socket, &held);
    if (!tasks_per_socket(snapshot, node, shape))
        held.tasks = tasks_on(held.cores, used_of_core(node, shape),
                              shape->cpus_per_task ? shape->cpus_per_task : 1,
                              tasks_per_core(snapshot, shape));
    return held;
}

uint64_t cores_needed(const struct plan_snapshot *snapshot, const struct claim *claim,
                      const struct plan_place *place)
{
    const struct plan_shape *shape = &claim->job->shape;
    const uint64_t each = shape->cpus_per_task ? shape->cpus_per_task : 1;
    const uint64_t gpus = gres_held(&snapshot->nodes[place->node], place, "gpu", NULL);
    uint64_t cpus = shape->overcommit ? each : each * place->tasks;

    if (shape->min_cpus_per_node > cpus)
        cpus = shape->min_cpus_per_node;
    return gpus * shape->cpus_per_gpu > cpus ? gpus * shape->cpus_per_gpu : cpus;
}

uint64_t cores_charged(const struct plan_snapshot *snapshot, const struct claim *claim,
                       const struct plan_place *place)
{
    const struct plan_node *node = &snapshot->nodes[place->node];

    if (node->counts_cpus && cores_unit(snapshot, claim) == CORES_NODE)
        return node->cpus - claim->job->shape.spared_n;
    if (cores_unit(snapshot, claim) == CORES_CPU || node->counts_cpus)
        return cores_needed(snapshot, claim, place);
    return bitset_count(&place->cpus) / threads_of(node) * used_of_core(node, &claim->job->shape);
}

/* Whether these cpus are enough for the place's tasks. */
static bool will_do(const struct plan_snapshot *snapshot, const struct claim *claim,
                    const struct plan_place *place, const struct bitset *cpus)
{
    const struct held held = hold(snapshot, claim, place->node, cpus);
    const uint64_t tasks = claim->job->shape.overcommit ? 1 : place->tasks;

    return held.tasks >= tasks && held.usable >= cores_needed(snapshot, claim, place) &&
           gres_is_covered(snapshot, claim, place, cpus);
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

static bool check_pool(const struct plan_snapshot *snapshot, const struct claim *claim,
                       const struct plan_place *place, struct strbuf *problem)
{
    const struct plan_node *node = &snapshot->nodes[place->node];
    const uint64_t due = cores_unit(snapshot, claim) == CORES_NODE
                             ? node->cpus
                             : cores_needed(snapshot, claim, place);

    if (place->amounts[PLAN_CPUS] == due &&
        cores_needed(snapshot, claim, place) + claim->job->shape.spared_n <= node->cpus)
        return true;
    return wrong(problem, "job %" PRIu64 ": %llu counted cpus of node %u, not %llu", claim->job->id,
                 (unsigned long long)place->amounts[PLAN_CPUS], place->node,
                 (unsigned long long)due);
}

/* Who says how many cores are left to the system has all others. */
static bool check_spared(const struct plan_snapshot *snapshot, const struct claim *claim,
                         const struct plan_place *place, struct strbuf *problem)
{
    const struct plan_node *node = &snapshot->nodes[place->node];
    const uint64_t due =
        node->cpus - (uint64_t)claim->job->shape.spared_n * unit_size(node, CORES_CORE);
    struct plan_node bare = *node;

    bare.barred = (struct bitset){ 0 };
    if (bitset_count(&place->cpus) != due || !is_whole_units(&bare, CORES_CORE, &place->cpus))
        return wrong(problem, "job %" PRIu64 ": %llu cpus of node %u, not %llu", claim->job->id,
                     (unsigned long long)bitset_count(&place->cpus), place->node,
                     (unsigned long long)due);
    return true;
}

bool cores_check(const struct plan_snapshot *snapshot, const struct claim *claim,
                 const struct plan_place *place, struct strbuf *problem)
{
    const struct plan_node *node = &snapshot->nodes[place->node];
    const enum cores_unit unit = cores_unit(snapshot, claim);

    if (node->counts_cpus)
        return check_pool(snapshot, claim, place, problem);
    if (place->cpus.size != node->cpus)
        return wrong(problem, "job %" PRIu64 ": a set of %u cpus for the %u of node %u",
                     claim->job->id, place->cpus.size, node->cpus, place->node);
    if (claim->job->shape.spare != PLAN_SPARE_BY_NODE) {
        if (!check_spared(snapshot, claim, place, problem))
            return false;
    } else if (!is_whole_units(node, unit, &place->cpus))
        return wrong(problem, "job %" PRIu64 ": not whole cores, sockets or nodes on node %u",
                     claim->job->id, place->node);
    if (!will_do(snapshot, claim, place, &place->cpus))
        return wrong(problem, "job %" PRIu64 ": too few cpus on node %u", claim->job->id,
                     place->node);
    if (unit != CORES_NODE && !is_least(snapshot, claim, place))
        return wrong(problem, "job %" PRIu64 ": too many cpus on node %u", claim->job->id,
                     place->node);
    return true;
}
