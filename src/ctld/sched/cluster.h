/*
 * cluster.h - the nodes and partitions that jobs are planned on.
 *
 * Owns copies of everything. Node and partition numbers are the snapshot's. Cpus of a node are
 * numbered socket by socket, core by core, thread by thread; a node whose cpus are fewer than its
 * threads is one whose cores count as one cpu each.
 */
#pragma once

#include "ctld/sched/planner.h"

struct sched_node {
    uint32_t cpus, threads;   /* threads per core; 1 when only cores count */
    uint32_t cpus_per_socket; /* all threads of all its cores */
    uint64_t memory_mb;
    uint32_t weight;
    char **features;
    uint32_t features_n;
    uint32_t model; /* nodes of one model differ in nothing above; numbered from 0 */
};

struct sched_partition {
    struct bitset nodes;
    uint32_t tier;
    bool starts_jobs, shares_nodes;
};

struct sched_cluster {
    struct plan_policy policy;
    struct sched_node *nodes;
    uint32_t nodes_n;
    uint32_t *models; /* a node of each model */
    uint32_t models_n;
    struct bitset usable;
    uint32_t *order; /* node numbers, the lightest first, then the lowest */
    struct sched_partition *partitions;
    uint32_t partitions_n;
};

void sched_cluster_init(struct sched_cluster *cluster, const struct plan_snapshot *snapshot);
void sched_cluster_clear(struct sched_cluster *cluster);

/* `wanted` is one word or several joined by &; NULL is met by every node. */
bool sched_node_has_features(const struct sched_node *node, const char *wanted);
