#include "ctld/sched/future/future.h"

#include <string.h>

/*
 * Most looks at a node need no more of a step than the number of its free cpus, counted ones
 * included: so the rest of a step is kept elsewhere.
 */
struct step {
    int64_t from;               /* up to the next step's; the last one has no end */
    uint32_t cpus_n, devices_n; /* free ones */
};

/* A line with few steps holds them itself: what a look at a node costs is the way to its steps. */
#define STEPS_NEAR 8

struct line {
    uint32_t words;     /* of a supply's bits */
    uint32_t amounts_n; /* the node has none of those from here on */
    uint32_t n, room;
    struct step *steps;
    uint64_t *used; /* n times its amounts */
    uint64_t *free; /* n sets */
    struct step near[STEPS_NEAR];
};

struct future {
    const struct sched_cluster *cluster;
    struct line *lines;
    uint32_t *versions; /* of each line; together, for most are asked for this only */
};

int64_t future_add(int64_t a, int64_t b)
{
    return a >= FUTURE_END - b ? FUTURE_END : a + b;
}

static uint64_t *free_at(const struct line *line, uint32_t i)
{
    return line->free + (size_t)i * line->words;
}

static uint64_t *used_at(const struct line *line, uint32_t i)
{
    return line->used + (size_t)i * line->amounts_n;
}

static uint64_t what_is_left(uint64_t all, uint64_t used)
{
    return all > used ? all - used : 0;
}

static void line_reset(struct line *line, const struct sched_node *node)
{
    line->n = 1;
    line->steps[0] = (struct step){
        .from = INT64_MIN,
        .cpus_n = node->cpus_n * node->rows,
        .devices_n = node->devices_n,
    };
    memset(line->used, 0, line->amounts_n * sizeof(*line->used));
    memcpy(line->free, node->all.bits, line->words * sizeof(uint64_t));
}

struct future *future_new(const struct sched_cluster *cluster)
{
    struct future *future = xcalloc(1, sizeof(*future));

    future->cluster = cluster;
    future->lines = xcalloc(cluster->nodes_n, sizeof(*future->lines));
    future->versions = xcalloc(cluster->nodes_n, sizeof(*future->versions));
    for (uint32_t i = 0; i < cluster->nodes_n; i++) {
        struct line *line = &future->lines[i];

        line->words = cluster->nodes[i].words;
        line->amounts_n = amounts_end(cluster->nodes[i].all.amounts);
        line->room = STEPS_NEAR;
        line->steps = line->near;
        line->used = xcalloc((size_t)line->room * line->amounts_n + 1, sizeof(*line->used));
        line->free = xcalloc((size_t)line->room * line->words + 1, sizeof(*line->free));
        line_reset(line, &cluster->nodes[i]);
        future->versions[i] = 1;
    }
    return future;
}

struct future *future_free(struct future *future)
{
    if (!future)
        return NULL;
    for (uint32_t i = 0; i < future->cluster->nodes_n; i++) {
        if (future->lines[i].steps != future->lines[i].near)
            free(future->lines[i].steps);
        free(future->lines[i].used);
        free(future->lines[i].free);
    }
    free(future->lines);
    free(future->versions);
    free(future);
    return NULL;
}

/* Returns the step that holds the moment. Halves without a branch, since its outcome cannot be
 * predicted. */
static uint32_t line_find(const struct line *line, int64_t at)
{
    uint32_t low = 0;

    for (uint32_t n = line->n; n > 1;) {
        const uint32_t half = n / 2;

        low += line->steps[low + half].from <= at ? half : 0;
        n -= half;
    }
    return low;
}

static void line_grow(struct line *line)
{
    if (line->n < line->room)
        return;
    line->room *= 2;
    if (line->steps == line->near)
        line->steps =
            memcpy(xcalloc(line->room, sizeof(*line->steps)), line->near, sizeof(line->near));
    else
        line->steps = xreallocarray(line->steps, line->room, sizeof(*line->steps));
    line->used =
        xreallocarray(line->used, (size_t)line->room * line->amounts_n + 1, sizeof(*line->used));
    line->free = xreallocarray(line->free, (size_t)line->room * line->words, sizeof(*line->free));
}

/* Makes a step begin at the moment and returns its index. */
static uint32_t line_split(struct line *line, int64_t at)
{
    const uint32_t i = line_find(line, at);
    const uint32_t behind = line->n - i;

    if (line->steps[i].from == at)
        return i;
    if (at >= FUTURE_END)
        return line->n;
    line_grow(line);
    memmove(&line->steps[i + 1], &line->steps[i], behind * sizeof(*line->steps));
    memmove(used_at(line, i + 1), used_at(line, i), behind * line->amounts_n * sizeof(uint64_t));
    memmove(free_at(line, i + 1), free_at(line, i), behind * line->words * sizeof(uint64_t));
    line->steps[i + 1].from = at;
    line->n++;
    return i + 1;
}

static bool steps_equal(const struct line *line, uint32_t i, uint32_t j)
{
    return line->steps[i].cpus_n == line->steps[j].cpus_n &&
           memcmp(used_at(line, i), used_at(line, j), line->amounts_n * sizeof(uint64_t)) == 0 &&
           memcmp(free_at(line, i), free_at(line, j), line->words * sizeof(uint64_t)) == 0;
}

static void line_drop(struct line *line, uint32_t i)
{
    const uint32_t behind = line->n - i - 1;

    memmove(&line->steps[i], &line->steps[i + 1], behind * sizeof(*line->steps));
    memmove(used_at(line, i), used_at(line, i + 1), behind * line->amounts_n * sizeof(uint64_t));
    memmove(free_at(line, i), free_at(line, i + 1), behind * line->words * sizeof(uint64_t));
    line->n--;
}

/* Merges equal neighbours: only at the two ends of a change can steps have become equal. */
static void line_merge(struct line *line, uint32_t first, uint32_t end)
{
    if (end < line->n && steps_equal(line, end, end - 1))
        line_drop(line, end);
    if (first > 0 && steps_equal(line, first, first - 1))
        line_drop(line, first);
}

static void step_change(struct line *line, uint32_t i, uint32_t cpu_words,
                        const struct supply *supply, bool take)
{
    struct step *step = &line->steps[i];
    uint64_t *set = free_at(line, i);

    step->cpus_n = step->devices_n = 0;
    for (uint32_t word = 0; word < line->words; word++) {
        set[word] = take ? set[word] & ~supply->bits[word] : set[word] | supply->bits[word];
        *(word < cpu_words ? &step->cpus_n : &step->devices_n) +=
            (uint32_t)__builtin_popcountll(set[word]);
    }
}

/* Adds `more` to the amount in steps [first, end); it wraps around for what is given back. */
static void amount_change(struct line *line, uint32_t a, uint32_t first, uint32_t end,
                          uint64_t more)
{
    for (uint32_t i = first; i < end; i++)
        used_at(line, i)[a] += more;
}

static void pool_count(struct line *line, const struct sched_node *node, uint32_t first,
                       uint32_t end)
{
    const uint64_t all = node->all.amounts[PLAN_CPUS];

    for (uint32_t i = first; i < end; i++)
        line->steps[i].cpus_n = (uint32_t)what_is_left(all, used_at(line, i)[PLAN_CPUS]);
}

static void steps_change(struct line *line, uint32_t first, uint32_t end,
                         const struct sched_node *node, const struct supply *supply, bool take)
{
    for (uint32_t i = first; i < end && line->words; i++)
        step_change(line, i, node->cpu_words, supply, take);
    for (uint32_t a = 0; a < line->amounts_n; a++) {
        if (supply->amounts[a])
            amount_change(line, a, first, end, take ? supply->amounts[a] : -supply->amounts[a]);
    }
    if (node->counts_cpus)
        pool_count(line, node, first, end);
}

static void line_change(struct future *future, const struct sched_place *place, int64_t from,
                        int64_t to, bool take)
{
    const struct sched_node *node = &future->cluster->nodes[place->node];
    struct line *line = &future->lines[place->node];
    uint32_t *version = &future->versions[place->node];
    uint32_t first, end;

    if (from >= to)
        return;
    first = line_split(line, from);
    end = line_split(line, to);
    steps_change(line, first, end, node, &place->supply, take);
    line_merge(line, first, end);
    *version += *version == UINT32_MAX ? 2 : 1;
}

void future_take(struct future *future, const struct sched_place *place, int64_t from, int64_t to)
{
    line_change(future, place, from, to, true);
}

void future_give(struct future *future, const struct sched_place *place, int64_t from, int64_t to)
{
    line_change(future, place, from, to, false);
}

void future_window(const struct future *future, uint32_t node, int64_t from, int64_t to,
                   struct supply *ret)
{
    const struct line *line = &future->lines[node];
    const struct supply *all = &future->cluster->nodes[node].all;
    uint32_t i = line_find(line, from);

    memcpy(ret->bits, free_at(line, i), line->words * sizeof(uint64_t));
    memset(ret->amounts, 0, sizeof(ret->amounts));
    for (uint32_t a = 0; a < line->amounts_n; a++)
        ret->amounts[a] = what_is_left(all->amounts[a], used_at(line, i)[a]);
    while (++i < line->n && line->steps[i].from < to) {
        for (uint32_t word = 0; word < line->words; word++)
            ret->bits[word] &= free_at(line, i)[word];
        for (uint32_t a = 0; a < line->amounts_n; a++) {
            const uint64_t left = what_is_left(all->amounts[a], used_at(line, i)[a]);

            ret->amounts[a] = left < ret->amounts[a] ? left : ret->amounts[a];
        }
    }
}

/* Returns what is left of an amount in the step; the node may have none. */
static uint64_t amount_left(const struct line *line, uint32_t i, const struct supply *all,
                            uint32_t a)
{
    return a < line->amounts_n ? what_is_left(all->amounts[a], used_at(line, i)[a]) : 0;
}

static bool has_amounts(const struct line *line, uint32_t i, const struct supply *all,
                        const struct demand_least *least)
{
    for (uint32_t a = 0; a < least->amounts_n; a++) {
        if (least->amounts[a] && amount_left(line, i, all, a) < least->amounts[a])
            return false;
    }
    return true;
}

static inline bool step_has(const struct line *line, uint32_t i, const struct supply *all,
                            const struct demand_least *least)
{
    return line->steps[i].cpus_n >= least->cpus && line->steps[i].devices_n >= least->devices &&
           (least->amounts_n == 0 || has_amounts(line, i, all, least));
}

int64_t future_ready(const struct future *future, uint32_t node, int64_t from, int64_t length,
                     const struct demand_least *least)
{
    int64_t until;

    return future_ready_until(future, node, from, length, FUTURE_END, least, &until);
}

int64_t future_ready_until(const struct future *future, uint32_t node, int64_t from, int64_t length,
                           int64_t deadline, const struct demand_least *least, int64_t *ret_until)
{
    const struct line *line = &future->lines[node];
    const struct supply *all = &future->cluster->nodes[node].all;

    for (uint32_t i = line_find(line, from); i < line->n; i++) {
        if (step_has(line, i, all, least))
            continue;
        if (line->steps[i].from >= deadline) {
            *ret_until = deadline - 1;
            return from;
        }
        if (line->steps[i].from >= future_add(from, length)) {
            *ret_until = line->steps[i].from - length;
            return from;
        }
        from = i + 1 < line->n ? line->steps[i + 1].from : FUTURE_END;
    }
    *ret_until = FUTURE_END;
    return from;
}

void future_readies(const struct future *future, uint32_t node, int64_t from,
                    const struct demand_least *least, const int64_t *lengths, uint32_t n,
                    int64_t *ret)
{
    const struct line *line = &future->lines[node];
    const struct supply *all = &future->cluster->nodes[node].all;
    uint32_t done = 0;

    for (uint32_t i = line_find(line, from); i < line->n; i++) {
        const int64_t begins = line->steps[i].from;

        if (begins >= future_add(from, lengths[n - 1]))
            break;
        if (step_has(line, i, all, least))
            continue;
        while (begins >= future_add(from, lengths[done]))
            ret[done++] = from;
        from = i + 1 < line->n ? line->steps[i + 1].from : FUTURE_END;
    }
    while (done < n)
        ret[done++] = from;
}

uint32_t future_version(const struct future *future, uint32_t node)
{
    return future->versions[node];
}

static bool step_frees(const struct line *line, uint32_t i, const struct supply *all,
                       const struct supply *wanted, uint32_t wanted_n)
{
    for (uint32_t word = 0; word < line->words; word++) {
        if (wanted->bits[word] & ~free_at(line, i)[word])
            return false;
    }
    for (uint32_t a = 0; a < wanted_n; a++) {
        if (amount_left(line, i, all, a) < wanted->amounts[a])
            return false;
    }
    return true;
}

int64_t future_until(const struct future *future, const struct sched_place *place, int64_t from)
{
    const struct line *line = &future->lines[place->node];
    const struct supply *all = &future->cluster->nodes[place->node].all;
    const uint32_t wanted_n = amounts_end(place->supply.amounts);

    for (uint32_t i = line_find(line, from); i < line->n; i++) {
        if (!step_frees(line, i, all, &place->supply, wanted_n))
            return line->steps[i].from > from ? line->steps[i].from : from;
    }
    return FUTURE_END;
}

static bool releases(const struct line *line, uint32_t before, uint32_t after)
{
    for (uint32_t a = 0; a < line->amounts_n; a++) {
        if (used_at(line, after)[a] < used_at(line, before)[a])
            return true;
    }
    for (uint32_t word = 0; word < line->words; word++) {
        if (free_at(line, after)[word] & ~free_at(line, before)[word])
            return true;
    }
    return false;
}

int64_t future_next_release(const struct future *future, uint32_t node, int64_t after)
{
    const struct line *line = &future->lines[node];

    for (uint32_t i = line_find(line, after) + 1; i < line->n; i++) {
        if (releases(line, i - 1, i))
            return line->steps[i].from;
    }
    return FUTURE_END;
}
