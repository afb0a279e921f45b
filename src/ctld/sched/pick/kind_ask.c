#include "ctld/sched/pick/kind_ask.h"

#include "common/base/minmax.h"
#include "ctld/model/model.h"

/* Returns the least number of nodes that the counts of the constraint come to. */
static uint32_t nodes_counted(const struct constraint *constraint)
{
    uint32_t least = constraint->alternatives_n ? UINT32_MAX : 0;

    for (uint32_t i = 0; i < constraint->alternatives_n; i++) {
        const struct constraint_alternative *alternative = &constraint->alternatives[i];
        AUTO_FREE uint32_t *none = xcalloc(alternative->quotas_n + 1, sizeof(*none));

        least = MIN(least, constraint_missing(alternative, none));
    }
    return least;
}

/* Returns how many nodes were asked for: as many as the alternative with most counts wants, and
 * where nodes are named, that many beside these. */
static uint32_t nodes_asked(const struct kind *kind)
{
    const uint32_t named = kind->shape.required.size ? bitset_count(&kind->shape.required) : 0;
    uint32_t most = kind->nodes_min;

    for (uint32_t i = 0; i < kind->constraint.alternatives_n; i++) {
        const uint32_t counted = kind->constraint.alternatives[i].nodes;

        most = MAX(most, counted ? named + counted : 0);
    }
    return most;
}

/* Sets the least and the most nodes. Every node gets a task at least, so tasks bound the nodes; but
 * nodes that were asked for are given. */
static void set_node_range(struct kind *kind, uint32_t partition_max)
{
    const struct plan_shape *shape = &kind->shape;
    uint32_t most = shape->max_nodes ? shape->max_nodes : UINT32_MAX;

    if (partition_max && !shape->ignores_nodes_max)
        most = MIN(most, partition_max);
    if (shape->nodes_limit)
        most = MIN(most, shape->nodes_limit);
    kind->nodes_min = MAX(MAX(shape->min_nodes, 1), nodes_counted(&kind->constraint));
    if (shape->required.size)
        kind->nodes_min = MAX(kind->nodes_min, bitset_count(&shape->required));
    if (kind->demand.tasks)
        most = MIN(most, MAX(kind->demand.tasks, nodes_asked(kind)));
    if (shape->listed_n)
        most = MIN(most, shape->listed_n);
    kind->nodes_max = most;
}

/* Returns whether the node can be one of those that an alternative asks for. */
static bool meets_some(const struct constraint *constraint, uint64_t features)
{
    for (uint32_t i = 0; i < constraint->alternatives_n; i++) {
        if (constraint_meets(&constraint->alternatives[i].filter, features))
            return true;
    }
    return constraint->alternatives_n == 0;
}

static void find_needs(const struct kinds *kinds, struct kind *kind)
{
    const struct sched_cluster *cluster = kinds->cluster;

    kind->needs = xcalloc(cluster->models_n, sizeof(*kind->needs));
    if (constraint_parse_both(kind->shape.prefer, kind->shape.features, &kind->constraint, NULL))
        return; /* no node meets a constraint that cannot be read */
    for (uint32_t i = 0; i < cluster->models_n; i++) {
        const struct sched_node *node = &cluster->nodes[cluster->models[i]];
        struct gres_share most = { 0 };
        const uint32_t tasks = demand_tasks_empty(&kind->demand, node, &most);
        const uint64_t features =
            constraint_bits(&kind->constraint, node->features, node->features_n);

        if (!tasks || !meets_some(&kind->constraint, features))
            continue;
        kind->needs[i] = (struct kind_need){
            .admitted = true,
            .least = demand_least(&kind->demand, node),
            .tasks_max = tasks,
            .pooled_max = most,
            .features = features,
        };
    }
}

/*
 * Raises the least number of tasks. Where the most nodes allowed hold the tasks only if each holds
 * some number, a node that holds fewer is of no use and need not be looked at.
 */
static void raise_tasks_least(const struct kinds *kinds, struct kind *kind)
{
    uint64_t most = 0, others;

    for (uint32_t i = 0; i < kinds->cluster->models_n; i++)
        most = MAX(most, kind->needs[i].tasks_max);
    if (kind->demand.tasks == 0 || kind->nodes_max == UINT32_MAX)
        return;
    others = (uint64_t)(kind->nodes_max - 1) * most;
    if (others >= kind->demand.tasks || kind->demand.tasks - others <= kind->demand.tasks_least)
        return;
    kind->demand.tasks_least = (uint32_t)(kind->demand.tasks - others);
    for (uint32_t i = 0; i < kinds->cluster->models_n; i++) {
        struct kind_need *need = &kind->needs[i];

        if (need->tasks_max < kind->demand.tasks_least)
            *need = (struct kind_need){ 0 };
        else
            need->least =
                demand_least(&kind->demand, &kinds->cluster->nodes[kinds->cluster->models[i]]);
    }
}

static void find_able(const struct kinds *kinds, struct kind *kind)
{
    const struct plan_shape *shape = &kind->shape;

    bitset_init(&kind->able, kinds->cluster->nodes_n);
    for (uint32_t i = 0; i < kinds->cluster->models_n; i++) {
        if (kind->needs[i].admitted)
            bitset_or(&kind->able, &kinds->of_model[i]);
    }
    bitset_and(&kind->able, &kinds->of_partition[kind->partition]);
    BITSET_FOREACH (&shape->excluded, node)
        bitset_del(&kind->able, kinds->position[node]);
    if (shape->listed_n) {
        AUTO(bitset) struct bitset listed = { 0 };

        kinds_find_positions(kinds, &shape->required, &listed);
        bitset_and(&kind->able, &listed);
    }
}

static void count_able(const struct kinds *kinds, struct kind *kind)
{
    for (uint32_t i = 0; i < kinds->cluster->models_n; i++) {
        AUTO(bitset) struct bitset able = { 0 };

        bitset_copy(&able, &kind->able);
        bitset_and(&able, &kinds->of_model[i]);
        kind->needs[i].able_n = bitset_count(&able);
    }
}

/* Finds the least that a job of the kind takes of its nodes, whatever their model. */
static void find_least(const struct kinds *kinds, struct kind *kind)
{
    bool whole = true;

    kind->least_cpus = kind->least_devices = UINT32_MAX;
    for (uint32_t i = 0; i < kinds->cluster->models_n; i++) {
        const struct sched_node *node = &kinds->cluster->nodes[kinds->cluster->models[i]];
        const struct demand_least *least = &kind->needs[i].least;

        if (!kind->needs[i].admitted)
            continue;
        whole &= least->cpus >= node->cpus_n;
        kind->least_cpus = MIN(kind->least_cpus, least->cpus);
        kind->least_devices = MIN(kind->least_devices, least->devices);
    }
    if (whole)
        kind->least_cpus = UINT32_MAX;
}

/* Returns how cpus are given, which the partition may say; whether memory is counted is the
 * cluster's to say. */
static uint32_t select_of(const struct sched_cluster *cluster, uint32_t partition)
{
    const uint32_t own = cluster->partitions[partition].select;
    const uint32_t units = SELECT_CPU | SELECT_CORE | SELECT_SOCKET;

    return own & units ? (cluster->policy.select & ~units) | (own & units) : cluster->policy.select;
}

/* Returns whether jobs of the kind always take the same: all their tasks' cpus, which are only
 * counted, of the only node. */
static bool takes_same(const struct sched_cluster *cluster, const struct kind *kind)
{
    const struct demand *demand = &kind->demand;

    return cluster->nodes_n == 1 && cluster->nodes[0].counts_cpus && demand->gres.n == 0 &&
           demand->tasks > 0 && demand->tasks_least == demand->tasks;
}

void kind_ask_find(const struct kinds *kinds, struct kind *kind)
{
    const struct sched_cluster *cluster = kinds->cluster;

    demand_init(&kind->demand, &kind->shape, select_of(cluster, kind->partition),
                &cluster->partitions[kind->partition]);
    kind->demand.partition = kind->partition;
    kind->demand.spares_first = cluster->policy.spares_first;
    find_needs(kinds, kind);
    set_node_range(kind, cluster->partitions[kind->partition].nodes_max);
    raise_tasks_least(kinds, kind);
    find_able(kinds, kind);
    count_able(kinds, kind);
    find_least(kinds, kind);
    kind->takes_same = takes_same(cluster, kind);
}
