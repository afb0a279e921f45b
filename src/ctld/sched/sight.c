#include "ctld/sched/sight.h"

#include <string.h>

#include "ctld/sched/future.h"

#define SIGHTS_MAX 512

struct sights {
    struct sight *table; /* uthash, the one used longest ago first */
    uint64_t number;
};

struct sights *sights_new(void)
{
    return xcalloc(1, sizeof(struct sights));
}

static void sight_drop(struct sights *sights, struct sight *sight)
{
    HASH_DEL(sights->table, sight);
    free(sight->wakes);
    free(sight);
}

struct sights *sights_free(struct sights *sights)
{
    if (!sights)
        return NULL;
    while (sights->table)
        sight_drop(sights, sights->table);
    free(sights);
    return NULL;
}

void sights_forget(struct sights *sights)
{
    sights->number++;
}

static struct sight *find(const struct sights *sights, const struct kind *kind, int64_t length)
{
    const struct sight_key key = { .kind = kind->serial, .length = length };
    struct sight *sight;

    HASH_FIND(hh, sights->table, &key, sizeof(key), sight);
    return sight && sight->number == sights->number ? sight : NULL;
}

/* The one used last, or the one used before `sight`. */
static struct sight *last_used(const struct sights *sights)
{
    return sights->table ? ELMT_FROM_HH(sights->table->hh.tbl, sights->table->hh.tbl->tail) : NULL;
}

/*
 * Where a shorter job finds no place, a longer one finds none either: the longest shorter one.
 * When its nodes wake tells too little, though: bounds that are a bit too low are each looked at.
 * Those used since all were wrong stand at the end.
 */
static const struct sight *find_shorter(const struct sights *sights, const struct kind *kind,
                                        int64_t length)
{
    const struct sight *best = NULL;

    for (const struct sight *sight = last_used(sights); sight && sight->number == sights->number;
         sight = sight->hh.prev) {
        if (sight->key.kind == kind->serial && sight->key.length < length &&
            (!best || sight->key.length > best->key.length))
            best = sight;
    }
    return best;
}

static void begin(const struct sights *sights, struct sight *sight, const struct kind *kind,
                  const struct bitset *usable)
{
    const struct sight *shorter = find_shorter(sights, kind, sight->key.length);

    sight->number = sights->number;
    sight->from = shorter ? shorter->from : INT64_MIN;
    for (uint32_t i = 0; i < kind->nodes_n; i++)
        sight->wakes[i] = bitset_has(usable, kind->nodes[i]) ? INT64_MIN : FUTURE_END;
}

static void drop_old(struct sights *sights, const struct kind *kind, int64_t length)
{
    const struct sight_key key = { .kind = kind->serial, .length = length };
    struct sight *stale;

    HASH_FIND(hh, sights->table, &key, sizeof(key), stale);
    if (stale)
        sight_drop(sights, stale);
    else if (HASH_COUNT(sights->table) == SIGHTS_MAX)
        sight_drop(sights, sights->table);
}

struct sight *sights_get(struct sights *sights, const struct kind *kind, int64_t length,
                         const struct bitset *usable)
{
    struct sight *sight = find(sights, kind, length);

    if (sight) {
        HASH_DEL(sights->table, sight);
    } else {
        drop_old(sights, kind, length);
        sight = xcalloc(1, sizeof(*sight));
        sight->key = (struct sight_key){ .kind = kind->serial, .length = length };
        sight->wakes = xcalloc(kind->nodes_n, sizeof(*sight->wakes));
        begin(sights, sight, kind, usable);
    }
    HASH_ADD(hh, sights->table, key, sizeof(sight->key), sight);
    return sight;
}
