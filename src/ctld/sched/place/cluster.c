#include "ctld/sched/place/cluster.h"

#include <string.h>

#include "common/text/words.h"
#include "ctld/sched/place/supply.h"

/* Sets sockets, cores and threads. What slurm.conf says of them may not add up (CPUs=1 beside
 * CoresPerSocket=4): then cpus decide. */
static void set_geometry(struct sched_node *node, const struct plan_node *from)
{
    const uint64_t cores = (uint64_t)from->sockets * from->cores_per_socket;

    node->counts_cpus = from->counts_cpus;
    node->sockets = from->sockets;
    node->cores_per_socket = from->cores_per_socket;
    node->cpus = from->cpus;
    node->threads = 1;
    node->cpus_per_socket = from->cpus;
    if (from->counts_cpus)
        return;
    if (from->cpus == cores * from->threads_per_core)
        node->threads = from->threads_per_core;
    else if (from->cpus != cores)
        return;
    if (from->cpus)
        node->cpus_per_socket = from->cpus / from->sockets;
}

uint32_t sched_partition_rows(const struct plan_partition *partition)
{
    const bool shares =
        partition->share == OVERSUBSCRIBE_YES || partition->share == OVERSUBSCRIBE_FORCE;

    return shares && partition->jobs_per_cpu > 1 ? partition->jobs_per_cpu : 1;
}

/* Returns whether the devices are nearer to some cpus than to others: those that all are near to
 * are nearer to none. */
static bool is_near_some(const struct plan_gres *gres, uint32_t cpus)
{
    for (uint64_t d = 0; gres->near && d < gres->count; d++) {
        if (bitset_count(&gres->near[d]) < cpus)
            return true;
    }
    return false;
}

static void copy_gres(struct sched_node *node, const struct plan_node *from)
{
    uint32_t counted = PLAN_COUNTED;

    node->gres_n = from->gres_n;
    node->gres = xcalloc(from->gres_n, sizeof(*node->gres));
    for (uint32_t i = 0; i < from->gres_n; i++) {
        struct sched_gres *gres = &node->gres[i];

        gres->name = xstrdup(from->gres[i].name);
        gres->type = xstrdup(from->gres[i].type);
        gres->count = from->gres[i].count;
        gres->counted = from->gres[i].counted;
        gres->first = gres->counted ? counted++ : node->devices_n;
        if (gres->counted)
            continue;
        node->devices_n += (uint32_t)gres->count;
        if (!is_near_some(&from->gres[i], from->cpus))
            continue;
        gres->near = xcalloc(gres->count, sizeof(*gres->near));
        for (uint64_t d = 0; d < gres->count; d++)
            bitset_copy(&gres->near[d], &from->gres[i].near[d]);
    }
}

/* Fills in what there is for jobs while none is there. */
static void fill_supply(struct sched_node *node, const struct plan_node *from)
{
    struct bitset devices;

    node->row_words = node->counts_cpus ? 0 : (node->cpus + 63) / 64;
    node->cpu_words = node->rows * node->row_words;
    node->words = node->cpu_words + (node->devices_n + 63) / 64;
    node->all.bits = xcalloc(node->words + 1, sizeof(uint64_t));
    devices = supply_devices(&node->all, node);
    bitset_fill(&devices);
    node->cpus_n = node->cpus;
    for (uint32_t row = 0; row < node->rows && !node->counts_cpus; row++) {
        struct bitset cpus = supply_row(&node->all, node, row);

        bitset_fill(&cpus);
        if (from->barred.size)
            bitset_minus(&cpus, &from->barred);
        node->cpus_n = bitset_count(&cpus);
    }
    node->all.amounts[PLAN_MEMORY] = from->memory_mb;
    node->all.amounts[PLAN_CPUS] = node->counts_cpus ? node->cpus : 0;
    for (uint32_t i = 0; i < node->gres_n; i++) {
        if (node->gres[i].counted)
            node->all.amounts[node->gres[i].first] = node->gres[i].count;
    }
}

/* Returns the largest number of rows of the node's partitions: how many jobs may share a cpu. */
static uint32_t rows_of(const struct plan_snapshot *snapshot, uint32_t node)
{
    uint32_t rows = 1;

    for (uint32_t i = 0; i < snapshot->partitions_n; i++) {
        const struct plan_partition *partition = &snapshot->partitions[i];

        if (sched_partition_rows(partition) > rows && bitset_has(&partition->nodes, node))
            rows = partition->jobs_per_cpu;
    }
    return rows;
}

static void copy_node(struct sched_node *node, const struct plan_node *from)
{
    set_geometry(node, from);
    copy_gres(node, from);
    fill_supply(node, from);
    node->weight = from->weight;
    node->features_n = from->features_n;
    node->features = xcalloc(from->features_n, sizeof(*node->features));
    for (uint32_t i = 0; i < from->features_n; i++)
        node->features[i] = xstrdup(from->features[i]);
}

/* Gives caps amounts that counted sorts leave unused; where none is left, there is no cap. */
static void add_caps(struct sched_node *node, const struct plan_snapshot *snapshot, uint32_t number)
{
    uint32_t amount = PLAN_COUNTED;

    for (uint32_t i = 0; i < node->gres_n; i++)
        amount += node->gres[i].counted;
    for (uint32_t i = 0; i < snapshot->partitions_n && amount < PLAN_AMOUNTS_MAX; i++) {
        const struct plan_partition *partition = &snapshot->partitions[i];

        if (!partition->cpus_per_node_max || !bitset_has(&partition->nodes, number))
            continue;
        node->caps[node->caps_n++] = (struct sched_cap){ .partition = i, .amount = amount };
        node->all.amounts[amount++] =
            (partition->cpus_per_node_max + node->threads - 1) / node->threads;
    }
}

uint32_t sched_node_cap(const struct sched_node *node, uint32_t partition)
{
    for (uint32_t i = 0; i < node->caps_n; i++) {
        if (node->caps[i].partition == partition)
            return node->caps[i].amount;
    }
    return 0;
}

static bool is_same_gres(const struct sched_gres *a, const struct sched_gres *b)
{
    if (strcmp(a->name, b->name) != 0 || !text_is(a->type, b->type) || a->count != b->count ||
        a->counted != b->counted || !a->near != !b->near)
        return false;
    for (uint64_t i = 0; a->near && i < a->count; i++) {
        if (!bitset_equal(&a->near[i], &b->near[i]))
            return false;
    }
    return true;
}

static bool is_same_model(const struct sched_node *a, const struct sched_node *b)
{
    if (a->cpus != b->cpus || a->threads != b->threads || a->counts_cpus != b->counts_cpus ||
        a->cpus_per_socket != b->cpus_per_socket || a->sockets != b->sockets ||
        a->cores_per_socket != b->cores_per_socket || a->rows != b->rows ||
        a->weight != b->weight || a->features_n != b->features_n || a->gres_n != b->gres_n ||
        a->words != b->words || a->caps_n != b->caps_n ||
        memcmp(a->caps, b->caps, sizeof(a->caps)) != 0 ||
        memcmp(a->all.amounts, b->all.amounts, sizeof(a->all.amounts)) != 0 ||
        memcmp(a->all.bits, b->all.bits, a->words * sizeof(uint64_t)) != 0)
        return false;
    for (uint32_t i = 0; i < a->gres_n; i++) {
        if (!is_same_gres(&a->gres[i], &b->gres[i]))
            return false;
    }
    for (uint32_t i = 0; i < a->features_n; i++) {
        if (strcmp(a->features[i], b->features[i]) != 0)
            return false;
    }
    return true;
}

/* Finds the node's model, or adds one. A cluster has few, so the list is short; the newest is the
 * likeliest. */
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
        cluster->nodes[i].rows = snapshot->nodes[i].counts_cpus ? 1 : rows_of(snapshot, i);
        copy_node(&cluster->nodes[i], &snapshot->nodes[i]);
        if (!snapshot->nodes[i].counts_cpus)
            add_caps(&cluster->nodes[i], snapshot, i);
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
        cluster->partitions[i] = snapshot->partitions[i];
        cluster->partitions[i].nodes = (struct bitset){ 0 };
        bitset_copy(&cluster->partitions[i].nodes, &snapshot->partitions[i].nodes);
    }
}

void sched_cluster_init(struct sched_cluster *cluster, const struct plan_snapshot *snapshot)
{
    *cluster = (struct sched_cluster){ .policy = snapshot->policy };
    copy_nodes(cluster, snapshot);
    copy_partitions(cluster, snapshot);
    topology_init(&cluster->topology, snapshot);
}

static void gres_clear(struct sched_gres *gres)
{
    for (uint64_t i = 0; gres->near && i < gres->count; i++)
        bitset_clear(&gres->near[i]);
    free(gres->near);
    free(gres->name);
    free(gres->type);
}

static void node_clear(struct sched_node *node)
{
    for (uint32_t i = 0; i < node->features_n; i++)
        free(node->features[i]);
    for (uint32_t i = 0; i < node->gres_n; i++)
        gres_clear(&node->gres[i]);
    free(node->features);
    free(node->gres);
    free(node->all.bits);
}

void sched_cluster_clear(struct sched_cluster *cluster)
{
    for (uint32_t i = 0; i < cluster->nodes_n; i++)
        node_clear(&cluster->nodes[i]);
    for (uint32_t i = 0; i < cluster->partitions_n; i++)
        bitset_clear(&cluster->partitions[i].nodes);
    bitset_clear(&cluster->usable);
    free(cluster->nodes);
    free(cluster->models);
    free(cluster->order);
    free(cluster->partitions);
    topology_clear(&cluster->topology);
    *cluster = (struct sched_cluster){ 0 };
}
