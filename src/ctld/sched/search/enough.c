/*
 * When enough nodes may be awake: the least moments of all nodes are kept in a heap, the latest of
 * them on top. Blocks and groups that wake no earlier than that need no look.
 */
#include "ctld/sched/search/look.h"

static void add(int64_t *heap, uint32_t n, int64_t at)
{
    for (; n > 0 && heap[(n - 1) / 2] < at; n = (n - 1) / 2)
        heap[n] = heap[(n - 1) / 2];
    heap[n] = at;
}

/* Replaces the latest moment of the heap. */
static void replace(int64_t *heap, uint32_t n, int64_t at)
{
    uint32_t i = 0;

    for (;;) {
        uint32_t child = 2 * i + 1;

        child += child + 1 < n && heap[child + 1] > heap[child];
        if (child >= n || heap[child] <= at)
            break;
        heap[i] = heap[child];
        i = child;
    }
    heap[i] = at;
}

/* Returns whether something that wakes then is one of the first n, as far as they are known. */
static bool is_early(const struct search *search, const struct look *look, uint32_t n, int64_t at)
{
    return n < look->rule.nodes_min || at < search->waits[0];
}

/* Returns whether enough nodes are awake now, so that no earlier moment can be found. */
static bool is_now(const struct search *search, const struct look *look, uint32_t n)
{
    return n == look->rule.nodes_min && search->waits[0] <= look->at;
}

static uint32_t add_group(struct search *search, const struct look *look, uint32_t group,
                          uint32_t n)
{
    const int64_t *wakes = look_group(search, look, group);

    for (uint32_t i = 0; i < SIGHT_GROUP; i++) {
        if (n < look->rule.nodes_min)
            add(search->waits, n++, wakes[i]);
        else if (wakes[i] < search->waits[0])
            replace(search->waits, n, wakes[i]);
    }
    return n;
}

int64_t look_enough(struct search *search, const struct look *look)
{
    const uint32_t blocks_n = (search->cluster->nodes_n + SIGHT_BLOCK - 1) / SIGHT_BLOCK;
    uint32_t n = 0;

    for (uint32_t block = 0; block < blocks_n && !is_now(search, look, n); block++) {
        const uint32_t first = block * SIGHT_GROUPS;

        if (!look->kind->open.words[block] || !is_early(search, look, n, look->sight->first[block]))
            continue;
        for (uint32_t group = first; group < first + SIGHT_GROUPS; group++) {
            if (is_early(search, look, n, look->sight->groups[group]))
                n = add_group(search, look, group, n);
        }
    }
    if (is_now(search, look, n))
        return look->at;
    return n < look->rule.nodes_min ? FUTURE_END : search->waits[0];
}
