#include "ctld/sched/demand.h"

#include "ctld/model/model.h"

#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))

static enum demand_unit unit_of(const struct plan_shape *shape, uint32_t select,
                                const struct plan_partition *partition)
{
    if (shape->exclusive == PLAN_EXCLUSIVE_NODE || partition->share == PLAN_SHARE_EXCLUSIVE ||
        (select & SELECT_LINEAR))
        return UNIT_NODE;
    if (select & SELECT_SOCKET)
        return UNIT_SOCKET;
    return select & SELECT_CPU ? UNIT_CPU : UNIT_CORE;
}

void demand_init(struct demand *demand, const struct plan_shape *shape, uint32_t select,
                 const struct plan_partition *partition)
{
    *demand = (struct demand){
        .unit = unit_of(shape, select, partition),
        .tasks_least = 1,
        .cpus_per_task = MAX(shape->cpus_per_task, 1),
        .cpus_least = shape->min_cpus_per_node,
        .threads = shape->threads_per_core,
        .core_per_task = select & SELECT_ONE_TASK_PER_CORE,
        .counts_memory = select & SELECT_MEMORY,
        .all_memory = shape->whole_node_memory,
        .node_mb = shape->mem_per_node_mb,
        .cpu_mb = shape->mem_per_cpu_mb,
    };
    if (shape->overcommit) { /* all tasks of a node share the cpus of one */
        demand->tasks_most = 1;
    } else if (shape->ntasks == 0) {
        demand->tasks_least = MAX(shape->ntasks_per_node, 1);
        demand->tasks_most = demand->tasks_least;
    } else {
        demand->tasks = shape->ntasks;
        demand->tasks_most =
            shape->ntasks_per_node ? MIN(shape->ntasks_per_node, shape->ntasks) : shape->ntasks;
    }
}

/* One unit of a node: how many cpus it is, and how many of them the job can use. */
struct unit {
    uint32_t cpus, used, cores;
};

static struct unit unit_on(const struct demand *demand, const struct sched_node *node)
{
    const uint32_t threads = demand->threads ? MIN(demand->threads, node->threads) : node->threads;
    struct unit unit = { .cpus = 1, .used = 1, .cores = 1 };

    if (demand->unit == UNIT_CPU || node->pool)
        return unit;
    if (demand->unit == UNIT_CORE)
        unit.cpus = node->threads;
    else
        unit.cpus = demand->unit == UNIT_SOCKET ? node->cpus_per_socket : node->cpus;
    unit.cores = unit.cpus / node->threads;
    unit.used = unit.cores * threads;
    return unit;
}

static uint64_t divide_up(uint64_t a, uint64_t b)
{
    return a / b + (a % b != 0);
}

static bool counts_cores(const struct demand *demand)
{
    return demand->core_per_task && demand->unit != UNIT_CPU;
}

static uint64_t cores_of_task(const struct demand *demand, const struct unit *unit)
{
    return divide_up(demand->cpus_per_task, unit->used / unit->cores);
}

static uint64_t units_for(const struct demand *demand, const struct unit *unit, uint64_t tasks)
{
    uint64_t units = divide_up(tasks * demand->cpus_per_task, unit->used);

    if (counts_cores(demand))
        units = divide_up(tasks * cores_of_task(demand, unit), unit->cores);
    return MAX(units, divide_up(demand->cpus_least, unit->used));
}

static uint64_t tasks_in(const struct demand *demand, const struct unit *unit, uint64_t units)
{
    if (units * unit->used < demand->cpus_least)
        return 0;
    if (counts_cores(demand))
        return units * unit->cores / cores_of_task(demand, unit);
    return units * unit->used / demand->cpus_per_task;
}

static uint64_t memory_for(const struct demand *demand, const struct sched_node *node,
                           const struct unit *unit, uint64_t units)
{
    if (!demand->counts_memory)
        return 0;
    if (demand->all_memory)
        return node->all.amounts[PLAN_MEMORY];
    if (demand->unit == UNIT_NODE && demand->cpu_mb)
        return MIN(demand->cpu_mb * unit->used, node->all.amounts[PLAN_MEMORY]);
    return demand->cpu_mb ? demand->cpu_mb * unit->used * units : demand->node_mb;
}

/* A whole node has memory for its tasks, not for each of its cpus. */
static uint64_t tasks_in_memory(const struct demand *demand, const struct unit *unit,
                                uint64_t free_mb)
{
    if (!demand->counts_memory || demand->all_memory || !demand->cpu_mb)
        return UINT64_MAX;
    if (demand->unit == UNIT_NODE)
        return free_mb / demand->cpu_mb / demand->cpus_per_task;
    return tasks_in(demand, unit, free_mb / demand->cpu_mb / unit->used);
}

static bool is_free(const struct bitset *free, uint32_t first, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        if (!bitset_has(free, first + i))
            return false;
    }
    return true;
}

static uint64_t units_free(const struct sched_node *node, const struct unit *unit,
                           const struct supply *supply)
{
    const struct bitset cpus = supply_cpus(supply, node), *free = &cpus;
    uint64_t units = 0;

    if (node->pool)
        return supply->amounts[PLAN_POOL_CPUS];
    if (unit->cpus == 1)
        return bitset_count(free);
    if (unit->cpus == free->size)
        return bitset_count(free) == free->size;
    for (uint32_t i = 0; i + unit->cpus <= free->size; i += unit->cpus)
        units += is_free(free, i, unit->cpus);
    return units;
}

uint32_t demand_tasks_empty(const struct demand *demand, const struct sched_node *node)
{
    if (node->cpus == 0 || node->threads < demand->threads ||
        demand->node_mb > node->all.amounts[PLAN_MEMORY] ||
        demand->cpu_mb > node->all.amounts[PLAN_MEMORY])
        return 0;
    return demand_tasks(demand, node, &node->all);
}

struct demand_least demand_least(const struct demand *demand, const struct sched_node *node)
{
    const struct unit unit = unit_on(demand, node);
    const uint64_t units = units_for(demand, &unit, demand->tasks_least);
    const uint32_t cpus = (uint32_t)MIN(units * unit.cpus, node->cpus);
    struct demand_least least = { .cpus = node->pool ? 0 : cpus };

    least.amounts[PLAN_MEMORY] = memory_for(demand, node, &unit, units);
    least.amounts[PLAN_POOL_CPUS] = node->pool ? cpus : 0;
    return least;
}

uint32_t demand_tasks(const struct demand *demand, const struct sched_node *node,
                      const struct supply *free)
{
    const struct unit unit = unit_on(demand, node);
    const uint64_t free_mb = free->amounts[PLAN_MEMORY];
    uint64_t tasks = tasks_in(demand, &unit, units_free(node, &unit, free));

    if (demand_least(demand, node).amounts[PLAN_MEMORY] > free_mb)
        return 0;
    tasks = MIN(tasks, tasks_in_memory(demand, &unit, free_mb));
    tasks = MIN(tasks, demand->tasks_most);
    return tasks < demand->tasks_least ? 0 : (uint32_t)tasks;
}

void demand_take(const struct demand *demand, const struct sched_node *node,
                 const struct supply *supply, uint32_t tasks, bool now, struct sched_place *ret)
{
    const struct bitset free = supply_cpus(supply, node);
    struct bitset taken = supply_cpus(&ret->supply, node);
    const struct unit unit = unit_on(demand, node);
    uint64_t units = units_for(demand, &unit, tasks);

    (void)now; /* the lowest cpus are taken either way */
    ret->tasks = tasks;
    ret->supply.amounts[PLAN_MEMORY] = memory_for(demand, node, &unit, units);
    ret->supply.amounts[PLAN_POOL_CPUS] = node->pool ? units : 0;
    for (uint32_t i = 0; units && i + unit.cpus <= free.size; i += unit.cpus) {
        if (!is_free(&free, i, unit.cpus))
            continue;
        for (uint32_t cpu = i; cpu < i + unit.cpus; cpu++)
            bitset_add(&taken, cpu);
        units--;
    }
}
