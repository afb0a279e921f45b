/*
 * need.h - what so many tasks of a job need on one node, in cores, cpus and memory, and the other
 * way round.
 */
#pragma once

#include "ctld/sched/place/demand.h"

/* Returns how many cpus of each core the job can use. */
uint32_t need_used(const struct demand *demand, const struct sched_node *node);

/* Return how many cores this many tasks alone need, and how many tasks fit in this many cores;
 * `used` cpus of each core. */
uint64_t need_cores_for(const struct demand *demand, uint32_t used, uint64_t tasks);
uint64_t need_tasks_in(const struct demand *demand, uint32_t used, uint64_t cores);

/* Returns --ntasks-per-socket, where a task fits on a socket at all; 0: any number. */
uint32_t need_per_socket(const struct demand *demand, const struct sched_node *node);

/* Return the cpus and cores of a part with all that it must have. Those that it takes may be more:
 * split.h. */
uint64_t need_cpus(const struct demand *demand, const struct demand_part *part);
uint64_t need_cores(const struct demand *demand, const struct sched_node *node,
                    const struct demand_part *part);

/* Returns the MB of a part that takes this many cores. */
uint64_t need_memory(const struct demand *demand, const struct sched_node *node, uint64_t cores,
                     const struct demand_part *part);

/* Returns how many tasks fit at most, by the memory that each cpu is to have; UINT64_MAX: memory
 * does not limit them. */
uint64_t need_tasks_in_memory(const struct demand *demand, const struct sched_node *node,
                              uint64_t free_mb);
