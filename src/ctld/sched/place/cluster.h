/*
 * cluster.h - the nodes and partitions that jobs are planned on.
 *
 * Owns copies of everything. Node and partition numbers are the snapshot's. Cpus of a node are
 * numbered socket by socket, core by core, thread by thread; a node whose cpus are fewer than its
 * threads is one whose cores count as one cpu each.
 */
#pragma once

#include "ctld/sched/place/topology.h"

/*
 * What is free, or taken, on one node. Things with identity are bits: first the node's cpus, row by
 * row (supply.h), then its devices, each from a whole word on. Things without identity are amounts.
 */
struct supply {
    uint64_t *bits; /* node->words words */
    uint64_t amounts[PLAN_AMOUNTS_MAX];
};

/* Returns where the amounts end: those from there on are 0. */
static inline uint32_t amounts_end(const uint64_t amounts[PLAN_AMOUNTS_MAX])
{
    uint32_t n = PLAN_AMOUNTS_MAX;

    while (n > 0 && amounts[n - 1] == 0)
        n--;
    return n;
}

struct sched_gres {
    char *name, *type;
    uint64_t count;
    bool counted;
    uint32_t first;      /* device, or PLAN_COUNTED and up: the amount */
    struct bitset *near; /* of each device; NULL: none is nearer */
};

/* MaxCPUsPerNode: the cores that jobs of the partition hold together are an amount of the node. */
struct sched_cap {
    uint32_t partition, amount;
};

struct sched_node {
    uint32_t cpus, threads;             /* threads per core; 1 when only cores count */
    uint32_t cpus_per_socket;           /* all threads of all its cores */
    uint32_t sockets, cores_per_socket; /* as configured, whatever the cpus say */
    bool counts_cpus;
    uint32_t rows;     /* jobs that may share a cpu: it has its cpus so many times; at least 1 */
    struct supply all; /* of the empty node */
    uint32_t cpus_n;   /* for jobs */
    uint32_t devices_n;
    uint32_t row_words, cpu_words, words; /* of a supply's bits: a row, all cpus, and all */
    uint32_t weight;
    char **features;
    uint32_t features_n;
    struct sched_gres *gres;
    uint32_t gres_n;
    struct sched_cap caps[PLAN_COUNTED_MAX];
    uint32_t caps_n;
    uint32_t model; /* nodes of one model differ in nothing above; numbered from 0 */
};

struct sched_cluster {
    struct plan_policy policy;
    struct sched_node *nodes;
    uint32_t nodes_n;
    uint32_t *models; /* a node of each model */
    uint32_t models_n;
    struct bitset usable;
    uint32_t *order;                   /* node numbers, the lightest first, then the lowest */
    struct plan_partition *partitions; /* sets owned */
    uint32_t partitions_n;
    struct sched_topology topology;
};

void sched_cluster_init(struct sched_cluster *cluster, const struct plan_snapshot *snapshot);
void sched_cluster_clear(struct sched_cluster *cluster);

/* Returns which amount is the partition's cap on the node; 0: it has none. */
uint32_t sched_node_cap(const struct sched_node *node, uint32_t partition);

/* Returns how many jobs may share a cpu; 1: none do. */
uint32_t sched_partition_rows(const struct plan_partition *partition);
