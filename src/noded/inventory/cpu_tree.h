/*
 * cpu_tree.h - the cpus of a machine, in the order in which slurm.conf counts them, and what they
 * share.
 *
 * There, cpus are counted socket by socket, core by core, thread by thread; a machine may count
 * them in any order. A place is a position in `cpus`.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/base/bitset.h"
#include "common/base/err.h"

struct tree_cpu {
    uint32_t number;       /* the machine's */
    uint32_t core, socket; /* from 0, through the whole machine */
    uint32_t ldom;         /* the machine's number of its NUMA node */
};

struct cpu_tree {
    struct tree_cpu *cpus;
    uint32_t cpus_n, cores_n, sockets_n;
    uint32_t numbers_end; /* one more than the highest number of a cpu */
    uint32_t each;        /* places for one of slurm.conf's cpus, more where that counts cores */
};

/* Reads the tree of this machine, or of what hwloc makes of a `synthetic` description. Each place
 * is a cpu of slurm.conf until cpu_tree_count_as says otherwise. Release with cpu_tree_clear. */
int cpu_tree_read(const char *synthetic, struct cpu_tree *ret, struct err *err);

/* Closes the library (libhwloc.c): hwloc and what it brings are a third of what a fork of the
 * daemon would copy. */
void cpu_tree_close_library(void);
void cpu_tree_clear(struct cpu_tree *tree);
void cpu_tree_auto_(struct cpu_tree *tree);

/* A node as slurm.conf has it. */
struct tree_shape {
    uint32_t cpus, sockets, cores_per_socket, threads_per_core;
    bool overrides; /* is to be believed in how cores and sockets are cut */
};

/* Counts places as cpus of slurm.conf. Fails with EINVAL when `cpus` is neither the machine's
 * number of cpus nor that of its cores. */
int cpu_tree_count_as(struct cpu_tree *tree, const struct tree_shape *shape, struct err *err);

/* Finds the places of slurm.conf's cpus; numbers that do not exist are left out. `ret` is
 * initialised. */
void cpu_tree_places(const struct cpu_tree *tree, const uint32_t *cpus, uint32_t cpus_n,
                     struct bitset *ret);

/* Finds the machine's numbers of slurm.conf's cpus, by place, and returns how many. *ret is to be
 * freed. */
uint32_t cpu_tree_map(const struct cpu_tree *tree, const uint32_t *cpus, uint32_t cpus_n,
                      uint32_t **ret);
