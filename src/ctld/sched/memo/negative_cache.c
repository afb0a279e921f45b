#include "ctld/sched/memo/negative_cache.h"

static bool says_less(const struct negative_entry *a, const struct negative_entry *b)
{
    return a->number <= b->number && a->length >= b->length && a->until <= b->until;
}

void negative_cache_learn(struct negative_cache *cache, const struct negative_entry *entry)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < cache->n; i++) {
        if (!says_less(&cache->entries[i], entry))
            cache->entries[kept++] = cache->entries[i];
    }
    cache->n = kept;
    if (cache->n < NEGATIVE_CACHE_MAX)
        cache->entries[cache->n++] = *entry;
    else
        cache->entries[cache->oldest++ % NEGATIVE_CACHE_MAX] = *entry;
}

int64_t negative_cache_until(const struct negative_cache *cache, int64_t length, uint64_t number)
{
    int64_t until = INT64_MIN;

    for (uint32_t i = 0; i < cache->n; i++) {
        const struct negative_entry *entry = &cache->entries[i];

        if (entry->number == number && entry->length <= length && entry->until > until)
            until = entry->until;
    }
    return until;
}
