#include "ctld/sched/pick/pick.h"

#include <assert.h>
#include <string.h>

#include "common/base/minmax.h"
#include "ctld/sched/pick/bound.h"
#include "ctld/sched/pick/deal.h"
#include "ctld/sched/pick/leaves.h"
#include "ctld/sched/pick/set.h"

static uint32_t try_leaves(const struct pick_rule *rule,
                           const struct constraint_alternative *alternative,
                           const struct pick_node *nodes, uint32_t n, pick_set_fn *choose,
                           struct pick_node *ret)
{
    if (rule->switches && rule->topology && !topology_is_flat(rule->topology))
        return pick_leaves(rule, alternative, nodes, n, choose, ret);
    return choose(rule, alternative, nodes, n, ret);
}

uint32_t pick_each(const struct pick_rule *rule, const struct pick_node *nodes, uint32_t n,
                   pick_set_fn *choose, struct pick_node *ret_nodes)
{
    const uint32_t alternatives = rule->constraint ? rule->constraint->alternatives_n : 0;
    AUTO_FREE struct pick_node *some = alternatives ? xcalloc(n + 1, sizeof(*some)) : NULL;

    if (alternatives == 0)
        return try_leaves(rule, NULL, nodes, n, choose, ret_nodes);
    for (uint32_t i = 0; i < alternatives; i++) {
        const struct constraint_alternative *alternative = &rule->constraint->alternatives[i];
        uint32_t some_n = 0, chosen;

        for (uint32_t j = 0; j < n; j++) {
            if (constraint_meets(&alternative->filter, nodes[j].features))
                some[some_n++] = nodes[j];
        }
        chosen = try_leaves(rule, alternative, some, some_n, choose, ret_nodes);
        if (chosen)
            return chosen;
    }
    return 0;
}

/*
 * Picks the first nodes where these will do and are as few as there can be, which is the common
 * case. Returns 0 where it is not so simple.
 */
static uint32_t pick_prefix(const struct pick_rule *rule, const struct pick_node *nodes, uint32_t n,
                            struct pick_node *ret)
{
    uint32_t roomiest = 1;
    uint64_t k = rule->many ? MIN(n, rule->nodes_max) : rule->nodes_min, tasks = 0;

    if (!rule->many && rule->tasks) {
        for (uint32_t i = 0; i < n; i++)
            roomiest = MAX(roomiest, nodes[i].tasks);
        k = MAX(k, rule->tasks / roomiest + (rule->tasks % roomiest != 0));
    }
    if (k > n || k > rule->nodes_max || k < rule->nodes_min)
        return 0;
    for (uint64_t i = 0; i < k; i++)
        tasks += nodes[i].tasks;
    if (tasks < rule->tasks)
        return 0;
    memcpy(ret, nodes, k * sizeof(*ret));
    return (uint32_t)k;
}

static void deal_pooled(const struct pick_rule *rule, struct pick_node *nodes, uint32_t n)
{
    for (uint32_t k = 0; k < rule->pooled_n; k++) {
        uint64_t left = rule->pooled[k];

        for (uint32_t i = 0; i < n; i++) {
            uint64_t *pooled = &nodes[i].share.pooled[k];

            *pooled = deal_share(&left, n - i - 1, *pooled);
        }
    }
}

/* Deals the tasks. Where more nodes are asked for than there are tasks, a node without any takes
 * room for one. */
static void deal(const struct pick_rule *rule, struct pick_node *nodes, uint32_t n)
{
    uint64_t left = rule->tasks;

    for (uint32_t i = 0; i < n && rule->tasks; i++) {
        const uint64_t share = deal_share(&left, n - i - 1, nodes[i].tasks);

        nodes[i].tasks = (uint32_t)MAX(share, 1);
    }
    deal_pooled(rule, nodes, n);
}

uint32_t pick_nodes(const struct pick_rule *rule, const struct pick_node *nodes, uint32_t n,
                    struct pick_node *ret_nodes)
{
    uint32_t picked = 0;

    assert(rule->nodes_min >= 1);
    if (n < rule->nodes_min)
        return 0;
    if (pick_takes_any(rule))
        picked = pick_prefix(rule, nodes, n, ret_nodes);
    if (!picked)
        picked = pick_each(rule, nodes, n, rule->offers ? pick_bound : pick_set, ret_nodes);
    pick_sort(ret_nodes, picked);
    deal(rule, ret_nodes, picked);
    return picked;
}
