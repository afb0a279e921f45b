#include "ctld/sched/sight.h"

#include <string.h>

#include "ctld/sched/future.h"

#define SIGHTS_MAX 512

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
    free(sight->wakes);
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
        sight->first[position / SIGHT_BLOCK] = INT64_MIN;
    }
}

/*
 * Lengths and cpus are cut to powers of two. Finer steps give better bounds, but each sight has to
 * learn by itself what a claim has changed, and that costs more than looking at a node in vain.
 */
static int64_t cut_length(int64_t length)
{
    int64_t step = 1;

    while (step * 2 <= length)
        step *= 2;
    return step;
}

static uint32_t cut_cpus(uint32_t cpus)
{
    uint32_t power = 1;

    if (cpus == 0 || cpus == SIGHT_WHOLE)
        return cpus;
    while (power <= cpus / 2)
        power *= 2;
    return power;
}

/* All of a small node is less than a part of a large one. */
static bool needs_less(const struct sight_key *less, const struct sight_key *more)
{
    return less->length <= more->length && (less->cpus == more->cpus || less->cpus == 1 ||
                                            (less->cpus < more->cpus && more->cpus != SIGHT_WHOLE));
}

/* Where more is needed for longer there is no room earlier: the closest of those that need less. */
static const struct sight *find_lesser(const struct sights *sights, const struct sight_key *key)
{
    const struct sight *best = NULL;

    for (const struct sight *sight = sights->table; sight; sight = sight->hh.next) {
        if (!needs_less(&sight->key, key))
            continue;
        if (!best || sight->key.cpus > best->key.cpus ||
            (sight->key.cpus == best->key.cpus && sight->key.length > best->key.length))
            best = sight;
    }
    return best;
}

static void begin(struct sights *sights, struct sight *sight)
{
    const struct sight *lesser = find_lesser(sights, &sight->key);
    const uint32_t nodes_n = sights->cluster->nodes_n;

    sight->wakes = xcalloc(nodes_n, sizeof(*sight->wakes));
    sight->first = xcalloc(sights->blocks_n, sizeof(*sight->first));
    if (lesser) {
        memcpy(sight->wakes, lesser->wakes, nodes_n * sizeof(*sight->wakes));
        memcpy(sight->first, lesser->first, sights->blocks_n * sizeof(*sight->first));
        return;
    }
    for (uint32_t i = 0; i < nodes_n; i++)
        sight->wakes[i] = INT64_MIN;
    for (uint32_t i = 0; i < sights->blocks_n; i++)
        sight->first[i] = INT64_MIN;
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
    memcpy(&sight->key, key, sizeof(*key));
    begin(sights, sight);
    HASH_ADD(hh, sights->table, key, sizeof(sight->key), sight);
    return sight;
}

struct sight *sights_get(struct sights *sights, const struct kind *kind, int64_t length)
{
    struct sight_key key;
    bool begun;

    memset(&key, 0, sizeof(key)); /* its gap is hashed too */
    key.cpus = cut_cpus(kind->least_cpus);
    key.length = cut_length(length);
    return find_or_begin(sights, &key, &begun);
}

struct sight *sights_base(struct sights *sights, bool *ret_fresh)
{
    struct sight_key key;

    memset(&key, 0, sizeof(key));
    key.cpus = 1;
    key.length = 1;
    return find_or_begin(sights, &key, ret_fresh);
}

void sight_raise(struct sight *sight, uint32_t position, int64_t wake)
{
    if (wake > sight->wakes[position])
        sight->wakes[position] = wake;
}

void sight_learned(struct sight *sight, const struct sched_cluster *cluster, uint32_t block)
{
    const uint32_t from = block * SIGHT_BLOCK;
    const uint32_t end =
        from + SIGHT_BLOCK < cluster->nodes_n ? from + SIGHT_BLOCK : cluster->nodes_n;
    int64_t first = INT64_MAX;

    for (uint32_t i = from; i < end; i++)
        first = sight->wakes[i] < first ? sight->wakes[i] : first;
    sight->first[block] = first;
}

struct demand_least sight_least(const struct sight *sight, const struct sched_node *node)
{
    const uint32_t cpus = sight->key.cpus == SIGHT_WHOLE ? node->cpus_n : sight->key.cpus;
    struct demand_least least = { .cpus = node->pool ? 0 : cpus };

    least.amounts[PLAN_POOL_CPUS] = node->pool ? cpus : 0;
    return least;
}
