#include "ctld/sched/pick/set.h"

#include <string.h>

#include "common/base/minmax.h"
#include "ctld/sched/pick/cover.h"

bool pick_is_required(const struct pick_rule *rule, uint32_t node)
{
    return rule->required && bitset_has(rule->required, node);
}

static int by_number(const void *a, const void *b)
{
    const struct pick_node *left = a, *right = b;

    return left->node < right->node ? -1 : left->node > right->node;
}

void pick_sort(struct pick_node *nodes, uint32_t n)
{
    for (uint32_t i = 1; i < n; i++) {
        if (nodes[i - 1].node > nodes[i].node) {
            qsort(nodes, n, sizeof(*nodes), by_number);
            return;
        }
    }
}

bool pick_keeps(const struct pick_rule *rule, const struct constraint_alternative *alternative,
                const struct pick_node *nodes, uint32_t n)
{
    AUTO(cover) struct cover cover = { 0 };
    uint32_t required = 0;

    cover_init(&cover, rule, alternative);
    for (uint32_t i = 0; i < n; i++) {
        cover_take(&cover, cover_bucket(&cover, &nodes[i]));
        required += pick_is_required(rule, nodes[i].node);
    }
    return n >= rule->nodes_min && n <= rule->nodes_max && cover_is_full(&cover) &&
           (!rule->required || required == bitset_count(rule->required));
}

/* ---- any nodes ---- */

/* The nodes that may be chosen besides the required ones, the preferred first. */
struct pool {
    struct pick_node *nodes;
    uint32_t *buckets; /* of each; known for the first `counted_n` */
    uint32_t n, counted_n;
};

/* Moves neighbours to the front beside required nodes: those behind the first one, then those
 * before. The nodes come sorted by weight, then by number. */
static void prefer_neighbours(const struct pick_rule *rule, struct pool *pool)
{
    const uint32_t first = (uint32_t)bitset_next(rule->required, 0);
    AUTO_FREE struct pick_node *before = xcalloc(pool->n + 1, sizeof(*before));
    uint32_t kept = 0, before_n = 0;

    for (uint32_t i = 0; i < pool->n; i++) {
        if (pool->nodes[i].node < first)
            before[before_n++] = pool->nodes[i];
        else
            pool->nodes[kept++] = pool->nodes[i];
        if (i + 1 < pool->n && pool->nodes[i + 1].weight == pool->nodes[i].weight)
            continue;
        while (before_n)
            pool->nodes[kept++] = before[--before_n];
    }
}

static uint32_t take_required(const struct pick_rule *rule, const struct pick_node *nodes,
                              uint32_t n, struct cover *cover, struct pool *pool,
                              struct pick_node *ret)
{
    uint32_t required = 0;

    for (uint32_t i = 0; i < n; i++) {
        if (pick_is_required(rule, nodes[i].node)) {
            cover_take(cover, cover_bucket(cover, &nodes[i]));
            ret[required++] = nodes[i];
        } else {
            pool->nodes[pool->n++] = nodes[i];
        }
    }
    if (required)
        prefer_neighbours(rule, pool);
    return required;
}

/* Lets the next heavier nodes in; all of them when weights do not matter. */
static void count_next(struct cover *cover, struct pool *pool, bool all)
{
    const uint32_t first = pool->counted_n;

    while (pool->counted_n < pool->n) {
        const uint32_t i = pool->counted_n;

        if (!all && pool->nodes[i].weight != pool->nodes[first].weight)
            break;
        pool->buckets[i] = cover_bucket(cover, &pool->nodes[i]);
        cover->buckets[pool->buckets[i]].nodes++;
        pool->counted_n++;
    }
}

/* Returns how many of the counted nodes to take; -1: no number will do. More nodes always hold
 * more. */
static int64_t count_needed(struct cover *cover, const struct pool *pool, uint32_t least,
                            uint32_t most, bool many)
{
    most = MIN(most, pool->counted_n);
    if (least > most || !cover_holds(cover, most))
        return -1;
    while (!many && least < most) {
        const uint32_t middle = least + (most - least) / 2;

        if (cover_holds(cover, middle))
            most = middle;
        else
            least = middle + 1;
    }
    return most;
}

/* Takes the first k nodes, in order of preference, with which others can still bring the rest. */
static uint32_t take_first(struct cover *cover, const struct pool *pool, uint32_t k,
                           struct pick_node *ret)
{
    AUTO_FREE uint32_t *refused_at = xcalloc(cover->buckets_n + 1, sizeof(*refused_at));
    uint32_t taken = 0;

    for (uint32_t i = 0; i < pool->counted_n && taken < k; i++) {
        struct cover_bucket *bucket = &cover->buckets[pool->buckets[i]];

        bucket->nodes--;
        if (refused_at[pool->buckets[i]] == taken + 1)
            continue;
        cover_take(cover, pool->buckets[i]);
        if (bucket->used) {
            bucket->used--;
        } else if (!cover_holds(cover, k - taken - 1)) {
            cover_give_back(cover, pool->buckets[i]);
            refused_at[pool->buckets[i]] = taken + 1;
            continue;
        }
        ret[taken++] = pool->nodes[i];
    }
    return taken;
}

static uint32_t pick_spread(const struct pick_rule *rule,
                            const struct constraint_alternative *alternative,
                            const struct pick_node *nodes, uint32_t n, struct pick_node *ret)
{
    AUTO_FREE struct pick_node *others = xcalloc(n, sizeof(*others));
    AUTO_FREE uint32_t *buckets = xcalloc(n, sizeof(*buckets));
    AUTO(cover) struct cover cover = { 0 };
    struct pool pool = { .nodes = others, .buckets = buckets };
    uint32_t required, least;

    cover_init(&cover, rule, alternative);
    required = take_required(rule, nodes, n, &cover, &pool, ret);
    if (required > rule->nodes_max)
        return 0;
    least = rule->nodes_min > required ? rule->nodes_min - required : 0;
    for (;;) {
        int64_t k = -1;

        if (!rule->many || pool.counted_n == pool.n)
            k = count_needed(&cover, &pool, least, rule->nodes_max - required, rule->many);
        if (k >= 0 && cover_holds(&cover, (uint32_t)k))
            return required + take_first(&cover, &pool, (uint32_t)k, ret + required);
        if (pool.counted_n == pool.n)
            return 0;
        count_next(&cover, &pool, rule->many);
    }
}

/* ---- nodes that follow one another ---- */

/* A window on nodes sorted by number, and what its nodes bring. */
struct window {
    const struct pick_rule *rule;
    const struct pick_node *nodes;
    const uint32_t *buckets;
    struct cover cover;
    uint32_t from, to, required;
};

static void window_push(struct window *window)
{
    window->required += pick_is_required(window->rule, window->nodes[window->to].node);
    cover_take(&window->cover, window->buckets[window->to++]);
}

static void window_shift(struct window *window)
{
    window->required -= pick_is_required(window->rule, window->nodes[window->from].node);
    cover_give_back(&window->cover, window->buckets[window->from++]);
}

static bool window_fits(const struct window *window, uint32_t required_n)
{
    return window->to - window->from >= window->rule->nodes_min && window->required == required_n &&
           cover_is_full(&window->cover);
}

/* Returns where the nodes that follow one another from `from` on end. */
static uint32_t run_end(const struct pick_node *nodes, uint32_t n, uint32_t from)
{
    uint32_t end = from + 1;

    while (end < n && nodes[end].node == nodes[end - 1].node + 1)
        end++;
    return end;
}

struct span {
    uint32_t from, n; /* n 0: none */
};

/* Returns the first of the shortest parts of a run that will do; with `exact`, the first of that
 * length. */
static struct span best_of_run(struct window *window, uint32_t end, uint32_t exact,
                               uint32_t required_n)
{
    const uint32_t most = exact ? exact : window->rule->nodes_max;
    struct span best = { 0, 0 };

    while (window->to < end) {
        window_push(window);
        while (window->to - window->from > most)
            window_shift(window);
        while (window_fits(window, required_n)) {
            const uint32_t n = window->to - window->from;

            if (exact && n < exact)
                break;
            if (best.n == 0 || n < best.n)
                best = (struct span){ window->from, n };
            window_shift(window);
        }
    }
    while (window->from < window->to)
        window_shift(window);
    return best;
}

static struct span best_span(struct window *window, uint32_t n)
{
    const struct pick_rule *rule = window->rule;
    const uint32_t required_n = rule->required ? bitset_count(rule->required) : 0;
    struct span best = { 0, 0 };

    while (window->to < n) {
        const uint32_t end = run_end(window->nodes, n, window->to);
        const uint32_t longest = MIN(end - window->to, rule->nodes_max);
        const struct span span = best_of_run(window, end, rule->many ? longest : 0, required_n);

        if (span.n && (best.n == 0 || (rule->many ? span.n > best.n : span.n < best.n)))
            best = span;
    }
    return best;
}

static uint32_t pick_run(const struct pick_rule *rule,
                         const struct constraint_alternative *alternative,
                         const struct pick_node *nodes, uint32_t n, struct pick_node *ret)
{
    AUTO_FREE struct pick_node *sorted = xmemdup(nodes, n * sizeof(*nodes));
    AUTO_FREE uint32_t *buckets = xcalloc(n, sizeof(*buckets));
    struct window window = { .rule = rule, .nodes = sorted, .buckets = buckets };
    struct span best;

    pick_sort(sorted, n);
    cover_init(&window.cover, rule, alternative);
    for (uint32_t i = 0; i < n; i++)
        buckets[i] = cover_bucket(&window.cover, &sorted[i]);
    best = best_span(&window, n);
    memcpy(ret, sorted + best.from, best.n * sizeof(*ret));
    cover_clear(&window.cover);
    return best.n;
}

static bool has_required(const struct pick_rule *rule, const struct pick_node *nodes, uint32_t n)
{
    uint32_t found = 0;

    for (uint32_t i = 0; rule->required && i < n; i++)
        found += pick_is_required(rule, nodes[i].node);
    return !rule->required || found == bitset_count(rule->required);
}

uint32_t pick_set(const struct pick_rule *rule, const struct constraint_alternative *alternative,
                  const struct pick_node *nodes, uint32_t n, struct pick_node *ret_nodes)
{
    if (n == 0 || n < rule->nodes_min || !has_required(rule, nodes, n))
        return 0;
    return rule->contiguous ? pick_run(rule, alternative, nodes, n, ret_nodes)
                            : pick_spread(rule, alternative, nodes, n, ret_nodes);
}
