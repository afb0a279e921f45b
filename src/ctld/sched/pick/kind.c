#include "ctld/sched/pick/kind.h"

#include <string.h>

#include "common/base/minmax.h"
#include "ctld/sched/pick/kind_ask.h"
#include "ctld/sched/pick/pick.h"
#include "ctld/sched/place/shape.h"

void kinds_find_positions(const struct kinds *kinds, const struct bitset *nodes, struct bitset *ret)
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
        kinds_find_positions(kinds, &cluster->partitions[i].nodes, &kinds->of_partition[i]);
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

/* Returns whether the rule needs the constraint. All nodes of a kind meet the filter of a single
 * alternative: then only its quotas are left. */
static bool wants_sets(const struct constraint *constraint)
{
    return constraint->alternatives_n > 1 ||
           (constraint->alternatives_n == 1 && constraint->alternatives[0].quotas_n > 0);
}

static bool wants_many(const struct plan_shape *shape)
{
    return shape->spread || (shape->max_nodes > shape->min_nodes && !shape->use_min_nodes);
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
    rule.offers = demand_has_offers(&kind->demand) ? &kind->demand : NULL;
    return rule;
}

/* The search among nodes may end early for other kinds (pick.h). */
bool kind_is_searched_wholly(const struct kind *kind)
{
    return kind->demand.gres.pooled_n == 0 && kind->shape.switches <= 1;
}

/* ---- whether it could start on empty nodes ---- */

static uint32_t tasks_on(const struct kinds *kinds, const struct kind *kind, uint32_t node)
{
    return kind->needs[kinds->cluster->nodes[node].model].tasks_max;
}

/* Decides where any nodes will do: the first may, and mostly they will, or all are too few. Returns
 * false where it is not so simple. */
static bool decide_by_first(const struct kinds *kinds, const struct kind *kind,
                            const struct pick_rule *rule, const struct bitset *positions,
                            bool *ret_fits)
{
    uint64_t tasks = 0;
    uint32_t n = 0;

    *ret_fits = false;
    BITSET_FOREACH (positions, i) {
        if (n++ == rule->nodes_max)
            return false;
        tasks += tasks_on(kinds, kind, kinds->cluster->order[i]);
        if (n >= rule->nodes_min && tasks >= rule->tasks) {
            *ret_fits = true;
            return true;
        }
    }
    return true;
}

/* Returns whether there are enough nodes where any will do that follow one another by number. */
static bool fits_in_a_row(const struct kinds *kinds, const struct kind *kind,
                          const struct pick_rule *rule, const struct bitset *positions)
{
    uint64_t tasks = 0;
    uint32_t n = 0; /* in a row up to here, at most nodes_max */

    for (uint32_t node = 0; node < kinds->cluster->nodes_n; node++) {
        if (!bitset_has(positions, kinds->position[node])) {
            n = 0;
            tasks = 0;
            continue;
        }
        if (n == rule->nodes_max)
            tasks -= tasks_on(kinds, kind, node - n);
        else
            n++;
        tasks += tasks_on(kinds, kind, node);
        if (n >= rule->nodes_min && tasks >= rule->tasks)
            return true;
    }
    return false;
}

/* Decides without looking at sets of nodes; returns false where they are to be looked at. What is
 * but a wish about the set, as many nodes for one, does not matter. */
static bool decide_plainly(const struct kinds *kinds, const struct kind *kind,
                           const struct pick_rule *rule, const struct bitset *positions,
                           bool *ret_fits)
{
    struct pick_rule loose = *rule;

    loose.contiguous = false;
    if (topology_is_flat(rule->topology))
        loose.switches = 0;
    if (!pick_takes_any(&loose))
        return false;
    if (!rule->contiguous)
        return decide_by_first(kinds, kind, &loose, positions, ret_fits);
    *ret_fits = fits_in_a_row(kinds, kind, &loose, positions);
    return true;
}

/* Returns whether the kind could start on this many of these nodes of its, were they empty. */
static bool fits_empty(const struct kinds *kinds, const struct kind *kind,
                       const struct bitset *positions, uint32_t nodes_max)
{
    const struct sched_cluster *cluster = kinds->cluster;
    struct pick_rule rule = kind_rule(kind);
    bool fits;

    rule.nodes_max = MIN(rule.nodes_max, nodes_max);
    if (rule.nodes_max < rule.nodes_min)
        return false;
    if (decide_plainly(kinds, kind, &rule, positions, &fits))
        return fits;

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
            .of = node,
            .free = &node->all,
            .features = need->features,
        };
    }
    return pick_nodes(&rule, nodes, n, picked) > 0;
}

static struct kind *kind_new(struct kinds *kinds, const struct plan_shape *shape,
                             uint32_t partition, uint32_t reservation)
{
    const struct sched_cluster *cluster = kinds->cluster;
    struct kind *kind = xcalloc(1, sizeof(*kind));

    kind->partition = partition;
    kind->reservation = reservation;
    kind->topology = &cluster->topology;
    shape_copy(&kind->shape, shape);
    kind_ask_find(kinds, kind);
    kind->fits_ever = fits_empty(kinds, kind, &kind->able, UINT32_MAX);
    kind->usable_number = UINT64_MAX;
    return kind;
}

struct kind *kinds_get(struct kinds *kinds, const struct plan_shape *shape, uint32_t partition,
                       uint32_t reservation)
{
    AUTO(strbuf) struct strbuf key = { 0 };
    struct kind *kind;

    strbuf_add(&key, &partition, sizeof(partition));
    strbuf_add(&key, &reservation, sizeof(reservation));
    shape_key(shape, &key);
    HASH_FIND(hh, kinds->table, key.data, key.len, kind);
    if (!kind) {
        kind = kind_new(kinds, shape, partition, reservation);
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

/* Searches by halves: what some number of nodes holds, more do as well. */
uint32_t kind_nodes_least(const struct kinds *kinds, struct kind *kind)
{
    uint32_t low = kind->nodes_min, high = MIN(kind->nodes_max, kinds->cluster->nodes_n);

    while (kind->fits_ever && kind->nodes_least == 0 && low < high) {
        const uint32_t middle = low + (high - low) / 2;

        if (fits_empty(kinds, kind, &kind->able, middle))
            high = middle;
        else
            low = middle + 1;
    }
    if (kind->nodes_least == 0)
        kind->nodes_least = low;
    return kind->nodes_least;
}

static const struct bitset *usable_positions(struct kinds *kinds)
{
    if (kinds->usable_of != kinds->usable_number) {
        bitset_clear(&kinds->usable);
        kinds_find_positions(kinds, &kinds->cluster->usable, &kinds->usable);
        kinds->usable_of = kinds->usable_number;
    }
    return &kinds->usable;
}

bool kind_fits_usable(struct kinds *kinds, struct kind *kind)
{
    if (kind->usable_number != kinds->usable_number) {
        bitset_copy(&kind->open, &kind->able);
        bitset_and(&kind->open, usable_positions(kinds));
        kind->fits_usable = fits_empty(kinds, kind, &kind->open, UINT32_MAX);
        kind->usable_number = kinds->usable_number;
    }
    return kind->fits_usable;
}
