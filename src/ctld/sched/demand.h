/*
 * demand.h - what a job asks of one node, and which cpus it gets there.
 *
 * Cpus are given in units: single cpus, cores with all their threads, sockets, or the whole node,
 * as SelectTypeParameters and --exclusive say. Of a given set of free cpus the lowest units are
 * taken. The answer for a number of tasks does not depend on cpus that stay free, so that a plan
 * stays the same when others take what it leaves.
 */
#pragma once

#include "ctld/sched/supply.h"

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
                 const struct plan_partition *partition);

/* How many tasks the node could hold, were it empty; 0: not the least, or it is not of the sort. */
uint32_t demand_tasks_empty(const struct demand *demand, const struct sched_node *node);

/* What must at least be free on the node: the number of cpus, and amounts. */
struct demand_least {
    uint32_t cpus;
    uint64_t amounts[PLAN_AMOUNTS_MAX];
};
struct demand_least demand_least(const struct demand *demand, const struct sched_node *node);

/* How many tasks, at most tasks_most, this supply can hold; 0: not the least. */
uint32_t demand_tasks(const struct demand *demand, const struct sched_node *node,
                      const struct supply *free);

/*
 * What `tasks`, which demand_tasks said can be held, take. `ret` comes with nothing taken. The job
 * starts `now`, and the choice may look at what stays free, or it is planned for later.
 */
void demand_take(const struct demand *demand, const struct sched_node *node,
                 const struct supply *free, uint32_t tasks, bool now, struct sched_place *ret);
