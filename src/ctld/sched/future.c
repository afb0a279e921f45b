#include "ctld/sched/future.h"

#include <string.h>

/* Most looks at a node end at the number of its free cpus: what else a step has is kept apart. */
struct step {
    int64_t from;               /* up to the next step's; the last one has no end */
    uint32_t cpus_n, devices_n; /* free ones */
};

typedef uint64_t amounts[PLAN_AMOUNTS_MAX];

/* Few steps lie with their line: what a look at a node costs is the way to its steps. */
#define STEPS_NEAR 8

struct line {
    uint32_t words; /* of a supply's bits */
    uint32_t n, room;
    struct step *steps;
    amounts *used;
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

static void line_reset(struct line *line, const struct sched_node *node)
{
    line->n = 1;
    line->steps[0] = (struct step){
        .from = INT64_MIN,
        .cpus_n = node->pool ? 0 : node->cpus_n * node->rows,
        .devices_n = node->devices_n,
    };
    memset(line->used[0], 0, sizeof(line->used[0]));
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
        line->room = STEPS_NEAR;
        line->steps = line->near;
        line->used = xcalloc(line->room, sizeof(*line->used));
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

/* The step that holds the moment. */
static uint32_t line_find(const struct line *line, int64_t at)
{
    uint32_t low = 0, high = line->n;

    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;

        if (line->steps[middle].from <= at)
            low = middle;
        else
            high = middle;
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
    line->used = xreallocarray(line->used, line->room, sizeof(*line->used));
    line->free = xreallocarray(line->free, (size_t)line->room * line->words, sizeof(*line->free));
}

/* Makes a step begin at the moment; returns it. */
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
    memmove(&line->used[i + 1], &line->used[i], behind * sizeof(*line->used));
    memmove(free_at(line, i + 1), free_at(line, i), behind * line->words * sizeof(uint64_t));
    line->steps[i + 1].from = at;
    line->n++;
    return i + 1;
}

static bool steps_equal(const struct line *line, uint32_t i, uint32_t j)
{
    return memcmp(line->used[i], line->used[j], sizeof(line->used[i])) == 0 &&
           memcmp(free_at(line, i), free_at(line, j), line->words * sizeof(uint64_t)) == 0;
}

static void line_drop(struct line *line, uint32_t i)
{
    const uint32_t behind = line->n - i - 1;

    memmove(&line->steps[i], &line->steps[i + 1], behind * sizeof(*line->steps));
    memmove(&line->used[i], &line->used[i + 1], behind * sizeof(*line->used));
    memmove(free_at(line, i), free_at(line, i + 1), behind * line->words * sizeof(uint64_t));
    line->n--;
}

/* Only the two ends of a change can have become like their neighbours. */
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
    for (uint32_t a = 0; a < PLAN_AMOUNTS_MAX; a++)
        line->used[i][a] += take ? supply->amounts[a] : -supply->amounts[a];
}

static void line_change(struct future *future, const struct sched_place *place, int64_t from,
                        int64_t to, bool take)
{
    const uint32_t cpu_words = future->cluster->nodes[place->node].cpu_words;
    struct line *line = &future->lines[place->node];
    uint32_t *version = &future->versions[place->node];
    uint32_t first, end;

    if (from >= to)
        return;
    first = line_split(line, from);
    end = line_split(line, to);
    for (uint32_t i = first; i < end; i++)
        step_change(line, i, cpu_words, &place->supply, take);
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

static uint64_t what_is_left(uint64_t all, uint64_t used)
{
    return all > used ? all - used : 0;
}

void future_window(const struct future *future, uint32_t node, int64_t from, int64_t to,
                   struct supply *ret)
{
    const struct line *line = &future->lines[node];
    const struct supply *all = &future->cluster->nodes[node].all;
    uint32_t i = line_find(line, from);

    memcpy(ret->bits, free_at(line, i), line->words * sizeof(uint64_t));
    for (uint32_t a = 0; a < PLAN_AMOUNTS_MAX; a++)
        ret->amounts[a] = what_is_left(all->amounts[a], line->used[i][a]);
    while (++i < line->n && line->steps[i].from < to) {
        for (uint32_t word = 0; word < line->words; word++)
            ret->bits[word] &= free_at(line, i)[word];
        for (uint32_t a = 0; a < PLAN_AMOUNTS_MAX; a++) {
            const uint64_t left = what_is_left(all->amounts[a], line->used[i][a]);

            ret->amounts[a] = left < ret->amounts[a] ? left : ret->amounts[a];
        }
    }
}

static bool has_amounts(const struct line *line, uint32_t i, const struct supply *all,
                        const struct demand_least *least)
{
    for (uint32_t a = 0; a < least->amounts_n; a++) {
        if (least->amounts[a] &&
            what_is_left(all->amounts[a], line->used[i][a]) < least->amounts[a])
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
    int64_t ready;

    future_readies(future, node, from, least, &length, 1, &ready);
    return ready;
}

int64_t future_ready_until(const struct future *future, uint32_t node, int64_t from, int64_t length,
                           const struct demand_least *least, int64_t *ret_until)
{
    const struct line *line = &future->lines[node];
    const struct supply *all = &future->cluster->nodes[node].all;

    for (uint32_t i = line_find(line, from); i < line->n; i++) {
        if (step_has(line, i, all, least))
            continue;
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
                       const struct supply *wanted)
{
    for (uint32_t word = 0; word < line->words; word++) {
        if (wanted->bits[word] & ~free_at(line, i)[word])
            return false;
    }
    for (uint32_t a = 0; a < PLAN_AMOUNTS_MAX; a++) {
        if (what_is_left(all->amounts[a], line->used[i][a]) < wanted->amounts[a])
            return false;
    }
    return true;
}

int64_t future_until(const struct future *future, const struct sched_place *place, int64_t from)
{
    const struct line *line = &future->lines[place->node];
    const struct supply *all = &future->cluster->nodes[place->node].all;

    for (uint32_t i = line_find(line, from); i < line->n; i++) {
        if (!step_frees(line, i, all, &place->supply))
            return line->steps[i].from > from ? line->steps[i].from : from;
    }
    return FUTURE_END;
}

static bool releases(const struct line *line, uint32_t before, uint32_t after)
{
    for (uint32_t a = 0; a < PLAN_AMOUNTS_MAX; a++) {
        if (line->used[after][a] < line->used[before][a])
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
