#include "ctld/sched/pick/fit_deal.h"

#include "common/base/minmax.h"
#include "ctld/sched/pick/deal.h"

/* Cuts what each node can hold to what it may use. */
static void limit(const struct pick_rule *rule, const struct fit_way *way, struct pick_node *nodes,
                  uint32_t n)
{
    const uint64_t each = MAX(way->cpus_per_task, 1);
    uint64_t left = rule->tasks * each, reserved = 0;

    for (uint32_t i = 1; i < rule->nodes_min && i < n; i++)
        reserved += MAX(nodes[i].reserve, 1);
    for (uint32_t i = 0; i < n; i++) {
        struct pick_node *node = &nodes[i];
        const uint64_t unit = MAX(node->unit, 1);
        uint64_t cpus = left > reserved ? left - reserved : 0;

        cpus = MAX(cpus - cpus % unit, unit);
        node->tasks = (uint32_t)MIN(node->tasks, MAX(cpus / each, 1));
        left -= MIN(left, node->tasks * each);
        if (i + 1 < rule->nodes_min && i + 1 < n)
            reserved -= MAX(nodes[i + 1].reserve, 1);
    }
}

static enum deal deal_of(const struct fit_way *way)
{
    if (way->whole)
        return way->pack ? DEAL_PACKED : DEAL_EVENLY;
    return way->dist == DIST_PLANE ? DEAL_PLANES : DEAL_EVENLY;
}

void fit_deal(const struct pick_rule *rule, const struct fit_way *way, struct pick_node *nodes,
              uint32_t n)
{
    AUTO_FREE uint32_t *room = xcalloc(n + 1, sizeof(*room));
    AUTO_FREE uint32_t *limits = xcalloc(n + 1, sizeof(*limits));
    AUTO_FREE uint32_t *tasks = xcalloc(n + 1, sizeof(*tasks));
    AUTO_FREE struct pick_node *limited = n ? xmemdup(nodes, n * sizeof(*nodes)) : NULL;

    if (!way->whole)
        limit(rule, way, limited, n);
    pick_sort(limited, n);
    pick_sort(nodes, n);
    for (uint32_t i = 0; i < n; i++) {
        limits[i] = limited[i].tasks;
        room[i] = nodes[i].tasks;
    }
    if (deal_tasks(deal_of(way), way->plane_size, rule->tasks, limits, n, tasks) > 0)
        deal_tasks(deal_of(way), way->plane_size, rule->tasks, room, n, tasks);
    for (uint32_t i = 0; i < n; i++)
        nodes[i].tasks = MAX(tasks[i], 1);
}

/* Returns how much of the k-th pooled resource the node is dealt at most in the first round: what
 * lies together there, or all it has where tasks are more than nodes. */
static uint64_t room_of(const struct pick_rule *rule, const struct pick_node *node, uint32_t k,
                        uint32_t n)
{
    const uint64_t all = node->share.pooled[k];

    return rule->tasks > n ? all : MAX(MIN(node->close.pooled[k], all), 1);
}

void fit_deal_pooled(const struct pick_rule *rule, struct pick_node *nodes, uint32_t n)
{
    for (uint32_t k = 0; k < rule->pooled_n; k++) {
        uint64_t left = rule->pooled[k];

        for (uint32_t i = 0; i < n; i++)
            nodes[i].close.pooled[k] = deal_share(&left, n - i - 1, room_of(rule, &nodes[i], k, n));
        for (uint32_t i = 0; i < n; i++) {
            const uint64_t more = MIN(nodes[i].share.pooled[k] - nodes[i].close.pooled[k], left);

            nodes[i].share.pooled[k] = nodes[i].close.pooled[k] + more;
            left -= more;
        }
    }
}
