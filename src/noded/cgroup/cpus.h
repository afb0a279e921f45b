/*
 * cpus.h - from the numbers that slurm.conf gives a node's cpus to the machine's own.
 *
 * There, cpus are counted socket by socket, core by core, thread by thread; a machine may count
 * them in any order.
 */
#pragma once

#include <stdint.h>

#include "common/base/err.h"

struct cgroup_cpus {
    uint32_t *machine; /* in slurm.conf's order */
    uint32_t machine_n;
    uint32_t each; /* of the machine's for one of slurm.conf's: more where that counts cores */
};

/*
 * `sys` is "/sys"; `configured` is CPUs= of the node. Fails when that is neither the machine's
 * number of cpus nor that of its cores. Release with cgroup_cpus_clear.
 */
int cgroup_cpus_read(const char *sys, uint32_t configured, struct cgroup_cpus *ret,
                     struct err *err);
void cgroup_cpus_clear(struct cgroup_cpus *cpus);

/* *ret is to be freed. Returns how many; numbers that do not exist are left out. */
uint32_t cgroup_cpus_map(const struct cgroup_cpus *cpus, const uint32_t *numbers,
                         uint32_t numbers_n, uint32_t **ret);
