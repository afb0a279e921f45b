#include "ctld/sched/kind.h"

#include <string.h>

#include "ctld/model/model.h"
#include "ctld/sched/pick.h"
#include "ctld/sched/shape.h"

#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))

/* `ret` is initialized by this. */
static void add_positions(const struct kinds *kinds, const struct bitset *nodes, struct bitset *ret)
{
    bitset_init(ret, kinds->cluster->nodes_n);
    BITSET_FOREACH (nodes, node)
        bitset_add(ret, kinds->position[node]);
}

void kinds_init(struct kinds *kinds, const struct sched_cluster *cluster)
{
    *kinds = (struct kinds){ .cluster = cluster, .usable_of = UINT64_MAX };
    kinds->position = xcalloc(cluster->nodes_n, sizeof(*kinds->position));
    kinds->of_model = xcalloc(cluster->models_n, sizeof(*kinds->of_model));
    kinds->of_partition = xcalloc(cluster->partitions_n, sizeof(*kinds->of_partition));
    for (uint32_t i = 0; i < cluster->models_n; i++)
        bitset_init(&kinds->of_model[i], cluster->nodes_n);
    for (uint32_t i = 0; i < cluster->nodes_n; i++) {
        const uint32_t node = cluster->order[i];

        kinds->position[node] = i;
        bitset_add(&kinds->of_model[cluster->nodes[node].model], i);
    }
    for (uint32_t i = 0; i < cluster->partitions_n; i++)
        add_positions(kinds, &cluster->partitions[i].nodes, &kinds->of_partition[i]);
}

static void kind_free(struct kind *kind)
{
    demand_clear(&kind->demand);
    constraint_clear(&kind->constraint);
    shape_clear(&kind->shape);
    free(kind->needs);
    bitset_clear(&kind->able);
    bitset_clear(&kind->open);
    free(kind->key);
    free(kind);
}

void kinds_clear(struct kinds *kinds)
{
    struct kind *kind, *next;

    HASH_ITER (hh, kinds->table, kind, next) {
        HASH_DELETE(hh, kinds->table, kind);
        kind_free(kind);
    }
    for (uint32_t i = 0; kinds->cluster && i < kinds->cluster->models_n; i++)
        bitset_clear(&kinds->of_model[i]);
    for (uint32_t i = 0; kinds->cluster && i < kinds->cluster->partitions_n; i++)
        bitset_clear(&kinds->of_partition[i]);
    free(kinds->of_model);
    free(kinds->of_partition);
    free(kinds->position);
    bitset_clear(&kinds->usable);
    *kinds = (struct kinds){ 0 };
}

/* The least that the counts of the constraint come to. */
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

/* Nodes that were asked for: more than the least where those that are named do not count for a
 * constraint, or one node cannot count for all that is missing. */
static uint32_t nodes_asked(const struct kind *kind)
{
    const uint32_t named = kind->shape.required.size ? bitset_count(&kind->shape.required) : 0;
    uint64_t most = kind->nodes_min;

    for (uint32_t i = 0; i < kind->constraint.alternatives_n; i++) {
        const struct constraint_alternative *alternative = &kind->constraint.alternatives[i];
        uint64_t counted = named;

        for (uint32_t k = 0; k < alternative->quotas_n; k++)
            counted += alternative->quotas[k].nodes;
        if (alternative->quotas_n && (named || alternative->is_loose))
            most = MAX(most, counted);
    }
    return (uint32_t)MIN(most, UINT32_MAX);
}

/* Every node gets a task at least, so tasks bound the nodes; but asked nodes are given. */
static void set_node_range(struct kind *kind, uint32_t partition_max)
{
    const struct plan_shape *shape = &kind->shape;
    uint32_t most = shape->max_nodes ? shape->max_nodes : UINT32_MAX;

    if (partition_max)
        most = MIN(most, partition_max);
    kind->nodes_min = MAX(MAX(shape->min_nodes, 1), nodes_counted(&kind->constraint));
    if (shape->required.size)
        kind->nodes_min = MAX(kind->nodes_min, bitset_count(&shape->required));
    if (kind->demand.tasks)
        most = MIN(most, MAX(kind->demand.tasks, nodes_asked(kind)));
    if (shape->listed_n)
        most = MIN(most, shape->listed_n);
    kind->nodes_max = most;
}

/* A constraint that cannot be read is met by no node. */
static bool read_constraint(struct kind *kind)
{
    const char *text = kind->shape.features;

    return !text || !text[0] || constraint_parse(text, &kind->constraint, NULL) == 0;
}

/* Whether the node can be one of those that an alternative asks for. */
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
    if (!read_constraint(kind))
        return;
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
 * Where the most nodes allowed hold the tasks only if each holds at least so many, a node that
 * holds fewer is of no use: it need not be looked at.
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

uint32_t kind_tasks(const struct kind *kind, uint32_t node, uint32_t most)
{
    const struct plan_shape *shape = &kind->shape;

    for (uint32_t i = 0; i < shape->listed_n; i++) {
        const uint32_t due = shape->overcommit ? 1 : shape->listed[i].tasks;

        if (shape->listed[i].node == node)
            return due <= most ? due : 0;
    }
    return most;
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

        add_positions(kinds, &shape->required, &listed);
        bitset_and(&kind->able, &listed);
    }
}

/* All nodes of a kind meet the filter of a single alternative: then only its quotas are left. */
static bool wants_sets(const struct constraint *constraint)
{
    return constraint->alternatives_n > 1 ||
           (constraint->alternatives_n == 1 && constraint->alternatives[0].quotas_n > 0);
}

static bool wants_many(const struct plan_shape *shape)
{
    return shape->spread || (shape->max_nodes > shape->min_nodes && !shape->use_min_nodes);
}

/* The least of what it takes of its nodes, whatever their model. */
static void find_least(const struct kinds *kinds, struct kind *kind)
{
    bool whole = true;

    kind->least_cpus = kind->least_devices = UINT32_MAX;
    for (uint32_t i = 0; i < kinds->cluster->models_n; i++) {
        const struct sched_node *node = &kinds->cluster->nodes[kinds->cluster->models[i]];
        const struct demand_least *least = &kind->needs[i].least;
        const uint64_t cpus = node->pool ? least->amounts[PLAN_POOL_CPUS] : least->cpus;

        if (!kind->needs[i].admitted)
            continue;
        whole &= cpus >= node->cpus_n;
        kind->least_cpus = (uint32_t)MIN(kind->least_cpus, cpus);
        kind->least_devices = MIN(kind->least_devices, least->devices);
    }
    if (whole)
        kind->least_cpus = UINT32_MAX;
}

struct pick_rule kind_rule(const struct kind *kind)
{
    struct pick_rule rule = {
        .nodes_min = kind->nodes_min,
        .nodes_max = kind->nodes_max,
        .many = wants_many(&kind->shape),
        .contiguous = kind->shape.contiguous,
        .tasks = kind->demand.tasks,
        .required = kind->shape.required.size ? &kind->shape.required : NULL,
        .constraint = wants_sets(&kind->constraint) ? &kind->constraint : NULL,
        .topology = kind->topology,
        .switches = kind->shape.switches,
    };

    memcpy(rule.pooled, kind->demand.gres.pooled, sizeof(rule.pooled));
    rule.pooled_n = kind->demand.gres.pooled_n;
    for (uint32_t i = 0; i < rule.pooled_n; i++)
        rule.nodes_max = (uint32_t)MIN(rule.nodes_max, rule.pooled[i]);
    return rule;
}

/* pick.h: the search among nodes ends early only for these. */
bool kind_is_searched_wholly(const struct kind *kind)
{
    return kind->demand.gres.pooled_n == 0 && kind->shape.switches <= 1;
}

/* The first nodes may do, and mostly they will. */
static bool fits_plainly(const struct kinds *kinds, const struct kind *kind,
                         const struct pick_rule *rule, const struct bitset *positions)
{
    const struct sched_cluster *cluster = kinds->cluster;
    uint64_t tasks = 0;
    uint32_t n = 0;

    if (!pick_is_plain(rule))
        return false;
    BITSET_FOREACH (positions, i) {
        if (n++ == rule->nodes_max)
            return false;
        tasks += kind->needs[cluster->nodes[cluster->order[i]].model].tasks_max;
        if (n >= rule->nodes_min && tasks >= rule->tasks)
            return true;
    }
    return false;
}

/* Whether it could start on these nodes of its, were they empty. */
static bool fits_empty(const struct kinds *kinds, const struct kind *kind,
                       const struct bitset *positions)
{
    const struct sched_cluster *cluster = kinds->cluster;
    const struct pick_rule rule = kind_rule(kind);
    if (fits_plainly(kinds, kind, &rule, positions))
        return true;

    AUTO_FREE struct pick_node *nodes = xcalloc(cluster->nodes_n, sizeof(*nodes));
    AUTO_FREE struct pick_node *picked = xcalloc(cluster->nodes_n, sizeof(*picked));
    uint32_t n = 0;

    BITSET_FOREACH (positions, i) {
        const uint32_t number = cluster->order[i];
        const struct sched_node *node = &cluster->nodes[number];
        const struct kind_need *need = &kind->needs[node->model];
        const uint32_t tasks = kind_tasks(kind, number, need->tasks_max);

        if (tasks == 0)
            continue;
        nodes[n++] = (struct pick_node){
            .node = number,
            .weight = node->weight,
            .tasks = tasks,
            .share = need->pooled_max,
            .features = need->features,
        };
    }
    return pick_nodes(&rule, nodes, n, picked) > 0;
}

/* A partition may say how cpus are given; whether memory is counted is the cluster's to say. */
static uint32_t select_of(const struct sched_cluster *cluster, uint32_t partition)
{
    const uint32_t own = cluster->partitions[partition].select;
    const uint32_t units = SELECT_CPU | SELECT_CORE | SELECT_SOCKET;

    return own & units ? (cluster->policy.select & ~units) | (own & units) : cluster->policy.select;
}

static struct kind *kind_new(struct kinds *kinds, const struct plan_job *job)
{
    const struct sched_cluster *cluster = kinds->cluster;
    struct kind *kind = xcalloc(1, sizeof(*kind));

    kind->partition = job->partition;
    kind->reservation = job->reservation;
    kind->topology = &cluster->topology;
    shape_copy(&kind->shape, &job->shape);
    demand_init(&kind->demand, &kind->shape, select_of(cluster, job->partition),
                &cluster->partitions[job->partition]);
    kind->demand.partition = job->partition;
    kind->demand.spares_first = cluster->policy.spares_first;
    find_needs(kinds, kind);
    set_node_range(kind, cluster->partitions[job->partition].nodes_max);
    raise_tasks_least(kinds, kind);
    find_able(kinds, kind);
    find_least(kinds, kind);
    kind->fits_ever = fits_empty(kinds, kind, &kind->able);
    kind->usable_number = UINT64_MAX;
    return kind;
}

struct kind *kinds_get(struct kinds *kinds, const struct plan_job *job)
{
    AUTO(strbuf) struct strbuf key = { 0 };
    struct kind *kind;

    strbuf_add(&key, &job->partition, sizeof(job->partition));
    strbuf_add(&key, &job->reservation, sizeof(job->reservation));
    shape_key(&job->shape, &key);
    HASH_FIND(hh, kinds->table, key.data, key.len, kind);
    if (!kind) {
        kind = kind_new(kinds, job);
        kind->key_n = (uint32_t)key.len;
        kind->key = strbuf_steal(&key);
        HASH_ADD_KEYPTR(hh, kinds->table, kind->key, kind->key_n, kind);
    }
    kind->jobs_n++;
    return kind;
}

void kinds_put(struct kinds *kinds, struct kind *kind)
{
    if (--kind->jobs_n > 0)
        return;
    HASH_DELETE(hh, kinds->table, kind);
    kind_free(kind);
}

static const struct bitset *usable_positions(struct kinds *kinds)
{
    if (kinds->usable_of != kinds->usable_number) {
        bitset_clear(&kinds->usable);
        add_positions(kinds, &kinds->cluster->usable, &kinds->usable);
        kinds->usable_of = kinds->usable_number;
    }
    return &kinds->usable;
}

bool kind_fits_usable(struct kinds *kinds, struct kind *kind)
{
    if (kind->usable_number != kinds->usable_number) {
        bitset_copy(&kind->open, &kind->able);
        bitset_and(&kind->open, usable_positions(kinds));
        kind->fits_usable = fits_empty(kinds, kind, &kind->open);
        kind->usable_number = kinds->usable_number;
    }
    return kind->fits_usable;
}
