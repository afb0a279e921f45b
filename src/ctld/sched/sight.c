#include "ctld/sched/sight.h"

#include <assert.h>

#include "ctld/sched/future.h"

#define SIGHTS_MAX 512

static_assert(sizeof(struct sight_key) == 16, "a key is hashed, so it has no gaps");
static_assert(SIGHT_GROUPS == SIGHT_GROUP, "a block has as many groups as these have nodes");

struct sights {
    const struct sched_cluster *cluster;
    uint32_t blocks_n;
    uint32_t *position;  /* of each node */
    struct sight *table; /* uthash */
};

struct sights *sights_new(const struct sched_cluster *cluster)
{
    struct sights *sights = xcalloc(1, sizeof(*sights));

    sights->cluster = cluster;
    sights->blocks_n = (cluster->nodes_n + SIGHT_BLOCK - 1) / SIGHT_BLOCK;
    sights->position = xcalloc(cluster->nodes_n, sizeof(*sights->position));
    for (uint32_t i = 0; i < cluster->nodes_n; i++)
        sights->position[cluster->order[i]] = i;
    return sights;
}

static void sight_drop(struct sights *sights, struct sight *sight)
{
    HASH_DEL(sights->table, sight);
    free(sight->least);
    free(sight->wakes);
    free(sight->groups);
    free(sight->first);
    free(sight);
}

void sights_forget(struct sights *sights)
{
    while (sights->table)
        sight_drop(sights, sights->table);
}

struct sights *sights_free(struct sights *sights)
{
    if (!sights)
        return NULL;
    sights_forget(sights);
    free(sights->position);
    free(sights);
    return NULL;
}

void sights_forget_node(struct sights *sights, uint32_t node)
{
    const uint32_t position = sights->position[node];

    for (struct sight *sight = sights->table; sight; sight = sight->hh.next) {
        sight->wakes[position] = INT64_MIN;
        sight->groups[position / SIGHT_GROUP] = INT64_MIN;
        sight->first[position / SIGHT_BLOCK] = INT64_MIN;
    }
}

/*
 * Lengths and numbers are cut to powers of two. Finer steps give better bounds, but each sight has
 * to learn by itself what a claim has changed, and that costs more than looking at a node in vain.
 */
static int64_t cut_length(int64_t length)
{
    int64_t step = 1;

    while (step * 2 <= length)
        step *= 2;
    return step;
}

static uint32_t cut_number(uint32_t n)
{
    uint32_t power = 1;

    if (n == 0 || n == SIGHT_WHOLE)
        return n;
    while (power <= n / 2)
        power *= 2;
    return power;
}

/* All of a small node is less than a part of a large one. */
static bool needs_less(const struct sight_key *less, const struct sight_key *more)
{
    return less->length <= more->length && less->devices <= more->devices &&
           (less->cpus == more->cpus || less->cpus == 1 ||
            (less->cpus < more->cpus && more->cpus != SIGHT_WHOLE));
}

static int compare_keys(const struct sight_key *a, const struct sight_key *b)
{
    if (a->devices != b->devices)
        return a->devices > b->devices ? 1 : -1;
    if (a->cpus != b->cpus)
        return a->cpus > b->cpus ? 1 : -1;
    return a->length > b->length ? 1 : -1;
}

/* Where more is needed for longer there is no room earlier: the closest of those that need less. */
static const struct sight *find_lesser(const struct sights *sights, const struct sight_key *key)
{
    const struct sight *best = NULL;

    for (const struct sight *sight = sights->table; sight; sight = sight->hh.next) {
        if (!needs_less(&sight->key, key))
            continue;
        if (!best || compare_keys(&sight->key, &best->key) > 0)
            best = sight;
    }
    return best;
}

static struct demand_least least_of(const struct sight *sight, const struct sched_node *node)
{
    const uint32_t cpus = sight->key.cpus == SIGHT_WHOLE ? node->cpus_n : sight->key.cpus;
    struct demand_least least = { .cpus = node->pool ? 0 : cpus, .devices = sight->key.devices };

    least.amounts[PLAN_POOL_CPUS] = node->pool ? cpus : 0;
    demand_least_count(&least);
    return least;
}

static void find_least(const struct sched_cluster *cluster, struct sight *sight)
{
    sight->least = xcalloc(cluster->models_n, sizeof(*sight->least));
    for (uint32_t i = 0; i < cluster->models_n; i++)
        sight->least[i] = least_of(sight, &cluster->nodes[cluster->models[i]]);
}

static int64_t least_wake(const int64_t *wakes)
{
    int64_t least = wakes[0];

    for (uint32_t i = 1; i < SIGHT_GROUP; i++)
        least = wakes[i] < least ? wakes[i] : least;
    return least;
}

static void begin(struct sights *sights, struct sight *sight)
{
    const struct sight *lesser = find_lesser(sights, &sight->key);
    const size_t blocks_n = sights->blocks_n;

    find_least(sights->cluster, sight);
    if (lesser) {
        sight->wakes = xmemdup(lesser->wakes, blocks_n * SIGHT_BLOCK * sizeof(*sight->wakes));
        sight->groups = xmemdup(lesser->groups, blocks_n * SIGHT_GROUPS * sizeof(*sight->groups));
        sight->first = xmemdup(lesser->first, blocks_n * sizeof(*sight->first));
        return;
    }
    sight->wakes = xcalloc(blocks_n, SIGHT_BLOCK * sizeof(*sight->wakes));
    sight->groups = xcalloc(blocks_n, SIGHT_GROUPS * sizeof(*sight->groups));
    sight->first = xcalloc(blocks_n, sizeof(*sight->first));
    for (uint32_t i = 0; i < sights->cluster->nodes_n; i++)
        sight->wakes[i] = INT64_MIN;
    for (uint32_t i = sights->cluster->nodes_n; i < blocks_n * SIGHT_BLOCK; i++)
        sight->wakes[i] = FUTURE_END; /* there is no such node */
    for (uint32_t i = 0; i < blocks_n * SIGHT_GROUPS; i++)
        sight->groups[i] = least_wake(&sight->wakes[i * SIGHT_GROUP]);
    for (uint32_t i = 0; i < blocks_n; i++)
        sight->first[i] = least_wake(&sight->groups[i * SIGHT_GROUPS]);
}

/* Into the ring of those for so much. */
static void join_alike(const struct sights *sights, struct sight *sight)
{
    sight->alike = sight;
    for (struct sight *other = sights->table; other; other = other->hh.next) {
        if (other->key.cpus != sight->key.cpus || other->key.devices != sight->key.devices)
            continue;
        sight->alike = other->alike;
        other->alike = sight;
        return;
    }
}

static struct sight *find_or_begin(struct sights *sights, const struct sight_key *key,
                                   bool *ret_begun)
{
    struct sight *sight;

    HASH_FIND(hh, sights->table, key, sizeof(*key), sight);
    *ret_begun = !sight;
    if (sight)
        return sight;
    if (HASH_COUNT(sights->table) == SIGHTS_MAX)
        sights_forget(sights);
    sight = xcalloc(1, sizeof(*sight));
    sight->key = *key;
    begin(sights, sight);
    join_alike(sights, sight);
    HASH_ADD(hh, sights->table, key, sizeof(sight->key), sight);
    return sight;
}

struct sight *sights_get(struct sights *sights, const struct kind *kind, int64_t length)
{
    const struct sight_key key = {
        .cpus = cut_number(kind->least_cpus),
        .devices = cut_number(kind->least_devices),
        .length = cut_length(length),
    };
    bool begun;

    return find_or_begin(sights, &key, &begun);
}

struct sight *sights_base(struct sights *sights, bool *ret_fresh)
{
    const struct sight_key key = { .cpus = 1, .length = 1 };

    return find_or_begin(sights, &key, ret_fresh);
}

void sight_learn(struct sight *sight, uint32_t position, const struct future_gap *gap)
{
    struct sight *each = sight;

    do {
        if (each->key.length > gap->before && gap->from > each->wakes[position])
            each->wakes[position] = gap->from;
        each = each->alike;
    } while (each != sight);
}

void sight_refresh(struct sight *sight, uint32_t group)
{
    const uint32_t block = group / SIGHT_GROUPS;
    const int64_t least = least_wake(&sight->wakes[group * SIGHT_GROUP]);

    if (least == sight->groups[group])
        return;
    sight->groups[group] = least;
    sight->first[block] = least_wake(&sight->groups[block * SIGHT_GROUPS]);
}
