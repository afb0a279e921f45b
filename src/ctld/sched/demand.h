/*
 * demand.h - what a job asks of one node, and which cpus it gets there.
 *
 * Cpus are given in units: single cpus, cores with all their threads, sockets, or the whole node,
 * as SelectTypeParameters and --exclusive say. Of a given set of free cpus the lowest units are
 * taken. The answer for a number of tasks does not depend on cpus that stay free, so that a plan
 * stays the same when others take what it leaves.
 */
#pragma once

#include "ctld/sched/cluster.h"

enum demand_unit { UNIT_CPU, UNIT_CORE, UNIT_SOCKET, UNIT_NODE };

struct demand {
    enum demand_unit unit;
    uint32_t tasks;                   /* over all nodes; 0: tasks_least on each */
    uint32_t tasks_least, tasks_most; /* on a node */
    uint32_t cpus_per_task, cpus_least;
    uint32_t threads;   /* used of each core; 0: all */
    bool core_per_task; /* no two tasks on one core */
    bool counts_memory; /* memory is given out, not only looked at */
    bool all_memory;
    uint64_t node_mb, cpu_mb;
};

void demand_init(struct demand *demand, const struct plan_shape *shape, uint32_t select,
                 const struct sched_partition *partition);

/* How many tasks the node could hold, were it empty; 0: not the least, or it is not of the sort. */
uint32_t demand_tasks_empty(const struct demand *demand, const struct sched_node *node);

/* The fewest cpus and the least memory that must be free on the node. */
uint32_t demand_least_cpus(const struct demand *demand, const struct sched_node *node);
uint64_t demand_least_memory(const struct demand *demand, const struct sched_node *node);

/* How many tasks, at most tasks_most, these free cpus and memory can hold; 0: not the least. */
uint32_t demand_tasks(const struct demand *demand, const struct sched_node *node,
                      const struct bitset *free, uint64_t free_mb);

/* The cpus and the memory for `tasks`, which demand_tasks said can be held. */
void demand_take(const struct demand *demand, const struct sched_node *node,
                 const struct bitset *free, uint32_t tasks, struct plan_place *ret);
