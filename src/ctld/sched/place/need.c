#include "ctld/sched/place/need.h"

#include "common/base/minmax.h"

static uint64_t divide_up(uint64_t a, uint64_t b)
{
    return a / b + (a % b != 0);
}

uint32_t need_used(const struct demand *demand, const struct sched_node *node)
{
    return demand->threads ? MIN(demand->threads, node->threads) : node->threads;
}

uint64_t need_cores_for(const struct demand *demand, uint32_t used, uint64_t tasks)
{
    const uint32_t each = demand->cpus_per_task;

    if (demand->tasks_per_core == 0 || demand->tasks_per_core >= used)
        return divide_up(tasks * each, used);
    if (each >= used)
        return tasks * divide_up(each, used);
    return divide_up(tasks, MIN(demand->tasks_per_core, used / each));
}

uint64_t need_tasks_in(const struct demand *demand, uint32_t used, uint64_t cores)
{
    const uint32_t each = demand->cpus_per_task;

    if (demand->tasks_per_core == 0 || demand->tasks_per_core >= used)
        return cores * used / each;
    if (each >= used)
        return cores / divide_up(each, used);
    return cores * MIN(demand->tasks_per_core, used / each);
}

uint32_t need_per_socket(const struct demand *demand, const struct sched_node *node)
{
    const uint32_t cores = node->cpus_per_socket / node->threads;

    if (!demand->tasks_per_socket || need_cores_for(demand, need_used(demand, node), 1) > cores)
        return 0;
    return demand->tasks_per_socket;
}

/* Counts the cpus that the job must have on the node, for its tasks or not. */
uint64_t need_cpus(const struct demand *demand, const struct demand_part *part)
{
    const uint64_t cpus = (uint64_t)part->tasks * demand->cpus_per_task;
    uint64_t gpus = 0;

    if (demand->cpus_per_gpu)
        gpus = gres_gpus(&demand->gres, part->tasks, &part->share);
    return MAX(MAX(cpus, demand->cpus_least), gpus * demand->cpus_per_gpu);
}

uint64_t need_cores(const struct demand *demand, const struct sched_node *node,
                    const struct demand_part *part)
{
    const uint32_t used = need_used(demand, node);

    return MAX(need_cores_for(demand, used, part->tasks), divide_up(need_cpus(demand, part), used));
}

/* Returns the memory that gpus bring. A job that has the node alone has all its gpus, and memory
 * for these as far as there is any. */
static uint64_t memory_by_gpus(const struct demand *demand, const struct sched_node *node,
                               const struct demand_part *part)
{
    const uint64_t gpus = gres_gpus(&demand->gres, part->tasks, &part->share);
    const uint64_t all_mb = node->all.amounts[PLAN_MEMORY];

    if (!demand->takes_devices || gpus == 0)
        return demand->gpu_mb * gpus;
    return MAX(demand->gpu_mb * gpus, MIN(demand->gpu_mb * gres_gpus_of(node), all_mb));
}

uint64_t need_memory(const struct demand *demand, const struct sched_node *node, uint64_t cores,
                     const struct demand_part *part)
{
    const uint32_t used = need_used(demand, node);
    const uint64_t all_mb = node->all.amounts[PLAN_MEMORY];

    if (!demand->counts_memory)
        return 0;
    if (demand->all_memory)
        return all_mb;
    if (demand->gpu_mb)
        return memory_by_gpus(demand, node, part);
    if (!demand->cpu_mb)
        return demand->node_mb;
    if (demand->unit == UNIT_NODE)
        return MIN(demand->cpu_mb * cores * used, all_mb);
    return demand->cpu_mb * (demand->unit == UNIT_CPU ? need_cpus(demand, part) : cores * used);
}

/* A whole node has memory for its tasks, not for each of its cpus. */
uint64_t need_tasks_in_memory(const struct demand *demand, const struct sched_node *node,
                              uint64_t free_mb)
{
    const uint32_t used = need_used(demand, node);

    if (!demand->counts_memory || demand->all_memory || !demand->cpu_mb)
        return UINT64_MAX;
    if (demand->unit == UNIT_NODE || demand->unit == UNIT_CPU)
        return free_mb / demand->cpu_mb / demand->cpus_per_task;
    return need_tasks_in(demand, used, free_mb / demand->cpu_mb / used);
}
