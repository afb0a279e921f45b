#include "ctld/sched/cluster.h"

#include <string.h>

/* What slurm.conf says may not add up (CPUs=1 beside CoresPerSocket=4): cpus decide. */
static void set_geometry(struct sched_node *node, const struct plan_node *from)
{
    const uint64_t cores = (uint64_t)from->sockets * from->cores_per_socket;

    node->cpus = from->cpus;
    node->threads = 1;
    node->cpus_per_socket = from->cpus;
    if (from->cpus == cores * from->threads_per_core)
        node->threads = from->threads_per_core;
    else if (from->cpus != cores)
        return;
    if (from->cpus)
        node->cpus_per_socket = from->cpus / from->sockets;
}

static void copy_node(struct sched_node *node, const struct plan_node *from)
{
    set_geometry(node, from);
    node->memory_mb = from->memory_mb;
    node->weight = from->weight;
    node->features_n = from->features_n;
    node->features = xcalloc(from->features_n, sizeof(*node->features));
    for (uint32_t i = 0; i < from->features_n; i++)
        node->features[i] = xstrdup(from->features[i]);
}

static bool is_same_model(const struct sched_node *a, const struct sched_node *b)
{
    if (a->cpus != b->cpus || a->threads != b->threads ||
        a->cpus_per_socket != b->cpus_per_socket || a->memory_mb != b->memory_mb ||
        a->weight != b->weight || a->features_n != b->features_n)
        return false;
    for (uint32_t i = 0; i < a->features_n; i++) {
        if (strcmp(a->features[i], b->features[i]) != 0)
            return false;
    }
    return true;
}

/* A cluster has few models, so the list is short; the newest is the likeliest. */
static void find_model(struct sched_cluster *cluster, uint32_t node)
{
    uint32_t model = cluster->models_n;

    while (model > 0 &&
           !is_same_model(&cluster->nodes[cluster->models[model - 1]], &cluster->nodes[node]))
        model--;
    if (model == 0) {
        *ARRAY_PUSH(cluster->models, cluster->models_n) = node;
        model = cluster->models_n;
    }
    cluster->nodes[node].model = model - 1;
}

static int by_weight(const void *a, const void *b, void *nodes_of)
{
    const struct sched_node *nodes = nodes_of;
    const uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;

    if (nodes[left].weight != nodes[right].weight)
        return nodes[left].weight < nodes[right].weight ? -1 : 1;
    return left < right ? -1 : left > right;
}

static void copy_nodes(struct sched_cluster *cluster, const struct plan_snapshot *snapshot)
{
    const uint32_t n = snapshot->nodes_n;

    cluster->nodes_n = n;
    cluster->nodes = xcalloc(n, sizeof(*cluster->nodes));
    cluster->order = xcalloc(n, sizeof(*cluster->order));
    bitset_init(&cluster->usable, n);
    for (uint32_t i = 0; i < n; i++) {
        copy_node(&cluster->nodes[i], &snapshot->nodes[i]);
        find_model(cluster, i);
        cluster->order[i] = i;
        if (snapshot->nodes[i].usable)
            bitset_add(&cluster->usable, i);
    }
    qsort_r(cluster->order, n, sizeof(*cluster->order), by_weight, cluster->nodes);
}

static void copy_partitions(struct sched_cluster *cluster, const struct plan_snapshot *snapshot)
{
    cluster->partitions_n = snapshot->partitions_n;
    cluster->partitions = xcalloc(snapshot->partitions_n, sizeof(*cluster->partitions));
    for (uint32_t i = 0; i < snapshot->partitions_n; i++) {
        const struct plan_partition *from = &snapshot->partitions[i];
        struct sched_partition *partition = &cluster->partitions[i];

        bitset_copy(&partition->nodes, &from->nodes);
        partition->tier = from->tier;
        partition->starts_jobs = from->starts_jobs;
        partition->shares_nodes = from->shares_nodes;
    }
}

void sched_cluster_init(struct sched_cluster *cluster, const struct plan_snapshot *snapshot)
{
    *cluster = (struct sched_cluster){ .policy = snapshot->policy };
    copy_nodes(cluster, snapshot);
    copy_partitions(cluster, snapshot);
}

void sched_cluster_clear(struct sched_cluster *cluster)
{
    for (uint32_t i = 0; i < cluster->nodes_n; i++) {
        for (uint32_t j = 0; j < cluster->nodes[i].features_n; j++)
            free(cluster->nodes[i].features[j]);
        free(cluster->nodes[i].features);
    }
    for (uint32_t i = 0; i < cluster->partitions_n; i++)
        bitset_clear(&cluster->partitions[i].nodes);
    bitset_clear(&cluster->usable);
    free(cluster->nodes);
    free(cluster->models);
    free(cluster->order);
    free(cluster->partitions);
    *cluster = (struct sched_cluster){ 0 };
}

static bool has_feature(const struct sched_node *node, const char *word, size_t n)
{
    for (uint32_t i = 0; i < node->features_n; i++) {
        if (strlen(node->features[i]) == n && memcmp(node->features[i], word, n) == 0)
            return true;
    }
    return false;
}

bool sched_node_has_features(const struct sched_node *node, const char *wanted)
{
    if (!wanted)
        return true;
    while (*wanted) {
        const size_t n = strcspn(wanted, "&");

        if (n && !has_feature(node, wanted, n))
            return false;
        wanted += n + (wanted[n] == '&');
    }
    return true;
}
