/*
 * spare.h - cores of a node that are left to the system: CoreSpecCount, and by the wish of a job
 * --core-spec and --thread-spec.
 */
#pragma once

#include "ctld/sched/place/demand.h"

/*
 * Returns the i-th core that is spared: the last ones of the sockets in turn, the last socket
 * first; with `first` the first ones, the first socket first.
 */
uint32_t spare_core(uint32_t sockets, uint32_t cores_per_socket, uint32_t i, bool first);

/* Returns how many cores of the whole node the job is given. */
uint64_t spare_cores_given(const struct demand *demand, const struct sched_node *node);

/*
 * Finds the cpus of these cores. Of the cores that the node keeps from all jobs the lowest stay
 * spared, as many as the job leaves; if it leaves more, others follow. `ret` is initialized by
 * this.
 */
void spare_find_given(const struct demand *demand, const struct sched_node *node,
                      struct bitset *ret);
