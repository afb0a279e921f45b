#include "ctld/sched/pick.h"

#include <assert.h>
#include <string.h>

#define MIN(a, b) ((a) < (b) ? (a) : (b))

/* The nodes that may be chosen, besides the required ones, which are chosen already. */
struct pool {
    struct pick_node *nodes;
    uint32_t n;
    uint32_t *by_tasks; /* positions in `nodes`, most tasks first */
};

static bool is_required(const struct pick_rule *rule, uint32_t node)
{
    return rule->required && bitset_has(rule->required, node);
}

static int by_tasks(const void *a, const void *b, void *nodes_of)
{
    const struct pick_node *nodes = nodes_of;
    const uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;

    if (nodes[left].tasks != nodes[right].tasks)
        return nodes[left].tasks > nodes[right].tasks ? -1 : 1;
    return left < right ? -1 : left > right;
}

static int by_number(const void *a, const void *b)
{
    const struct pick_node *left = a, *right = b;

    return left->node < right->node ? -1 : left->node > right->node;
}

/* Beside required nodes, neighbours are preferred: those behind the first one, then those before.
 */
static int by_nearness(const void *a, const void *b, void *first_required)
{
    const struct pick_node *left = a, *right = b;
    const uint32_t first = *(const uint32_t *)first_required;
    const bool left_behind = left->node > first, right_behind = right->node > first;

    if (left->weight != right->weight)
        return left->weight < right->weight ? -1 : 1;
    if (left_behind != right_behind)
        return left_behind ? -1 : 1;
    return left_behind ? by_number(a, b) : by_number(b, a);
}

/* The tasks that the `k` roomiest nodes at or behind `from`, among the first `n`, can hold. */
static uint64_t most_tasks(const struct pool *pool, uint32_t from, uint32_t n, uint32_t k)
{
    uint64_t tasks = 0;

    for (uint32_t i = 0; k && i < pool->n; i++) {
        const uint32_t at = pool->by_tasks[i];

        if (at < from || at >= n)
            continue;
        tasks += pool->nodes[at].tasks;
        k--;
    }
    return tasks;
}

/* How many of the first `n` nodes of the pool to take so that `tasks` fit; -1: it cannot be. */
static int64_t count_needed(const struct pool *pool, uint32_t n, uint32_t least, uint32_t most,
                            bool many, uint64_t tasks)
{
    uint64_t held = 0;
    uint32_t taken = 0;

    most = MIN(most, n);
    if (least > most)
        return -1;
    for (uint32_t i = 0; i < pool->n && taken < most; i++) {
        if (!many && taken >= least && held >= tasks)
            break;
        if (pool->by_tasks[i] >= n)
            continue;
        held += pool->nodes[pool->by_tasks[i]].tasks;
        taken++;
    }
    return held >= tasks ? (int64_t)taken : -1;
}

/* Takes the first `k` nodes, in order of preference, with which the others can still hold all. */
static uint32_t take_first(const struct pool *pool, uint32_t n, uint32_t k, uint64_t tasks,
                           struct pick_node *ret)
{
    uint32_t taken = 0;

    for (uint32_t i = 0; i < n && taken < k; i++) {
        const struct pick_node *node = &pool->nodes[i];

        if (tasks > node->tasks && most_tasks(pool, i + 1, n, k - taken - 1) < tasks - node->tasks)
            continue;
        ret[taken++] = *node;
        tasks -= MIN(tasks, node->tasks);
    }
    return taken;
}

/* Where the next heavier nodes begin behind the first n. */
static uint32_t weight_end(const struct pool *pool, uint32_t n)
{
    uint32_t end = n + 1;

    while (end < pool->n && pool->nodes[end].weight == pool->nodes[n].weight)
        end++;
    return end;
}

/* Adds to the `required_n` nodes in `ret`. */
static uint32_t pick_free(const struct pick_rule *rule, const struct pool *pool, uint64_t tasks,
                          uint32_t required_n, struct pick_node *ret)
{
    const uint32_t least = rule->nodes_min > required_n ? rule->nodes_min - required_n : 0;
    const uint32_t most = rule->nodes_max - required_n;

    for (uint32_t n = rule->many ? pool->n : 0;;) {
        const int64_t k = count_needed(pool, n, least, most, rule->many, tasks);

        if (k >= 0)
            return required_n + take_first(pool, n, (uint32_t)k, tasks, ret + required_n);
        if (n == pool->n)
            return 0;
        n = weight_end(pool, n);
    }
}

static uint32_t pick_spread(const struct pick_rule *rule, const struct pick_node *nodes, uint32_t n,
                            struct pick_node *ret)
{
    AUTO_FREE struct pick_node *others = xcalloc(n, sizeof(*others));
    AUTO_FREE uint32_t *order = xcalloc(n, sizeof(*order));
    struct pool pool = { .nodes = others, .by_tasks = order };
    uint64_t tasks = rule->tasks;
    uint32_t required_n = 0;

    for (uint32_t i = 0; i < n; i++) {
        if (is_required(rule, nodes[i].node)) {
            ret[required_n++] = nodes[i];
            tasks -= MIN(tasks, nodes[i].tasks);
        } else {
            order[pool.n] = pool.n;
            others[pool.n++] = nodes[i];
        }
    }
    if (required_n > rule->nodes_max)
        return 0;
    if (required_n) {
        uint32_t first = (uint32_t)bitset_next(rule->required, 0);

        qsort_r(others, pool.n, sizeof(*others), by_nearness, &first);
    }
    qsort_r(order, pool.n, sizeof(*order), by_tasks, others);
    return pick_free(rule, &pool, tasks, required_n, ret);
}

/* Whether `k` nodes that follow one another, the first being nodes[0], will do. */
static bool run_fits(const struct pick_rule *rule, const struct pick_node *nodes, uint32_t k,
                     uint32_t required_n)
{
    uint64_t tasks = 0;
    uint32_t required = 0;

    for (uint32_t i = 0; i < k; i++) {
        if (nodes[i].node != nodes[0].node + i)
            return false;
        tasks += nodes[i].tasks;
        required += is_required(rule, nodes[i].node);
    }
    return tasks >= rule->tasks && required == required_n;
}

static uint32_t pick_run(const struct pick_rule *rule, const struct pick_node *nodes, uint32_t n,
                         struct pick_node *ret)
{
    AUTO_FREE struct pick_node *sorted = xmemdup(nodes, n * sizeof(*nodes));
    const uint32_t required_n = rule->required ? bitset_count(rule->required) : 0;
    const uint32_t most = MIN(rule->nodes_max, n);

    qsort(sorted, n, sizeof(*sorted), by_number);
    for (uint32_t step = 0; rule->nodes_min + step <= most; step++) {
        const uint32_t k = rule->many ? most - step : rule->nodes_min + step;

        for (uint32_t i = 0; i + k <= n; i++) {
            if (!run_fits(rule, sorted + i, k, required_n))
                continue;
            memcpy(ret, sorted + i, k * sizeof(*ret));
            return k;
        }
    }
    return 0;
}

static void deal_tasks(const struct pick_rule *rule, struct pick_node *nodes, uint32_t n)
{
    uint64_t left = rule->tasks;

    for (uint32_t i = 0; i < n && rule->tasks; i++) {
        const uint32_t behind = n - i - 1;
        const uint64_t share = left > behind ? left - behind : 1;

        nodes[i].tasks = (uint32_t)MIN(share, nodes[i].tasks);
        left -= MIN(left, nodes[i].tasks);
    }
}

static bool has_required(const struct pick_rule *rule, const struct pick_node *nodes, uint32_t n)
{
    uint32_t found = 0;

    for (uint32_t i = 0; rule->required && i < n; i++)
        found += is_required(rule, nodes[i].node);
    return !rule->required || found == bitset_count(rule->required);
}

/* Each node gives at least one of what is asked for the job as a whole. */
static bool deal_pooled(const struct pick_rule *rule, struct pick_node *nodes, uint32_t n)
{
    for (uint32_t k = 0; k < GRES_POOLED_MAX; k++) {
        uint64_t left = rule->pooled[k];

        for (uint32_t i = 0; i < n && rule->pooled[k]; i++) {
            const uint32_t behind = n - i - 1;
            const uint64_t some = left > behind ? left - behind : 1;

            nodes[i].share.pooled[k] = MIN(some, nodes[i].share.pooled[k]);
            left -= MIN(left, nodes[i].share.pooled[k]);
        }
        if (left)
            return false;
    }
    return true;
}

/* As few nodes as give all that is asked for the job as a whole. */
uint32_t pick_nodes(const struct pick_rule *rule, const struct pick_node *nodes, uint32_t n,
                    struct pick_node *ret_nodes)
{
    struct pick_rule wider = *rule;
    uint32_t picked;

    assert(rule->nodes_min >= 1);
    if (n < rule->nodes_min || !has_required(rule, nodes, n))
        return 0;
    do {
        picked = rule->contiguous ? pick_run(&wider, nodes, n, ret_nodes)
                                  : pick_spread(&wider, nodes, n, ret_nodes);
        qsort(ret_nodes, picked, sizeof(*ret_nodes), by_number);
        deal_tasks(rule, ret_nodes, picked);
        if (deal_pooled(rule, ret_nodes, picked))
            return picked;
        wider.nodes_min = picked + 1;
    } while (picked && wider.nodes_min <= MIN(rule->nodes_max, n));
    return 0;
}
