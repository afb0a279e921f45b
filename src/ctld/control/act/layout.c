#include "ctld/control/act/layout.h"

#include <string.h>

#include "common/base/alloc.h"

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* Returns how many tasks fit on the node. */
static uint32_t capacity_of(const struct layout_ask *ask, const struct layout_node *node)
{
    uint32_t tasks = ask->overcommit ? ask->ntasks : node->cpus / ask->cpus_per_task;

    if (node->barred || (node->cpus == 0 && !ask->overcommit))
        return 0;
    if (ask->ntasks_per_node)
        tasks = least(tasks, ask->ntasks_per_node);
    return least(least(tasks, node->most_tasks), ask->ntasks);
}

/* The nodes chosen so far. */
struct choice {
    const uint32_t *capacity;
    bool *taken;
    uint32_t taken_n;
    uint64_t tasks;
};

static void take(struct choice *choice, uint32_t i)
{
    choice->taken[i] = true;
    choice->taken_n++;
    choice->tasks += choice->capacity[i];
}

/* Returns the first node with room not yet taken, with `roomiest` that with most; -1: none. */
static int64_t next_node(const struct choice *choice, uint32_t nodes_n, bool roomiest)
{
    int64_t best = -1;

    for (uint32_t i = 0; i < nodes_n; i++) {
        if (choice->taken[i] || choice->capacity[i] == 0)
            continue;
        if (!roomiest)
            return i;
        if (best < 0 || choice->capacity[i] > choice->capacity[best])
            best = i;
    }
    return best;
}

/* Takes the required nodes, then others, as many as are allowed and at most one for each task. */
static bool choose(const struct layout_ask *ask, const struct layout_node *nodes, uint32_t nodes_n,
                   struct choice *choice, bool roomiest)
{
    const uint32_t most = least(ask->max_nodes, ask->ntasks);

    for (uint32_t i = 0; i < nodes_n; i++) {
        if (nodes[i].listed == 0)
            continue;
        if (choice->capacity[i] == 0)
            return false;
        take(choice, i);
    }
    while (choice->taken_n < most) {
        const int64_t next = next_node(choice, nodes_n, roomiest);

        if (next < 0)
            break;
        take(choice, (uint32_t)next);
    }
    return choice->taken_n >= least(ask->min_nodes, ask->ntasks) && choice->taken_n <= most &&
           choice->tasks >= ask->ntasks;
}

static void deal(const struct layout_ask *ask, const struct choice *choice, uint32_t nodes_n,
                 uint32_t *ret_tasks)
{
    AUTO_FREE uint32_t *room = xcalloc(choice->taken_n, sizeof(*room));
    AUTO_FREE uint32_t *tasks = xcalloc(choice->taken_n, sizeof(*tasks));
    uint32_t n = 0;

    for (uint32_t i = 0; i < nodes_n; i++) {
        if (choice->taken[i])
            room[n++] = choice->capacity[i];
    }
    deal_tasks(ask->deal, ask->plane_size, ask->ntasks, room, n, tasks);
    n = 0;
    for (uint32_t i = 0; i < nodes_n; i++)
        ret_tasks[i] = choice->taken[i] ? tasks[n++] : 0;
}

static bool make_listed(const struct layout_ask *ask, const struct layout_node *nodes,
                        uint32_t nodes_n, uint32_t *ret_tasks)
{
    uint64_t listed = 0;

    for (uint32_t i = 0; i < nodes_n; i++) {
        if (nodes[i].listed > capacity_of(ask, &nodes[i]))
            return false;
        ret_tasks[i] = nodes[i].listed;
        listed += nodes[i].listed;
    }
    return listed == ask->ntasks;
}

bool layout_make(const struct layout_ask *ask, const struct layout_node *nodes, uint32_t nodes_n,
                 uint32_t *ret_tasks)
{
    AUTO_FREE uint32_t *capacity = xcalloc(nodes_n, sizeof(*capacity));
    AUTO_FREE bool *taken = xcalloc(nodes_n, sizeof(*taken));
    struct choice choice = { capacity, taken, 0, 0 };

    if (ask->as_listed)
        return make_listed(ask, nodes, nodes_n, ret_tasks);
    for (uint32_t i = 0; i < nodes_n; i++)
        capacity[i] = capacity_of(ask, &nodes[i]);
    if (!choose(ask, nodes, nodes_n, &choice, false)) {
        memset(taken, 0, nodes_n * sizeof(*taken));
        choice = (struct choice){ capacity, taken, 0, 0 };
        if (!choose(ask, nodes, nodes_n, &choice, true))
            return false;
    }
    deal(ask, &choice, nodes_n, ret_tasks);
    return true;
}
