#include "ctld/sched/pick/deal.h"

#include <stdbool.h>

#include "common/base/minmax.h"

uint64_t deal_share(uint64_t *left, uint32_t behind, uint64_t room)
{
    const uint64_t share = *left > behind ? *left - behind : MIN(*left, 1);
    const uint64_t given = MIN(share, room);

    *left -= given;
    return given;
}

/* Returns the least room that is not none of the nodes that still have any, and their number. */
static uint32_t least_room(const uint32_t *room, const uint32_t *tasks, uint32_t n,
                           uint32_t *ret_nodes)
{
    uint32_t least = UINT32_MAX, nodes = 0;

    for (uint32_t i = 0; i < n; i++) {
        if (tasks[i] >= room[i])
            continue;
        least = MIN(least, room[i] - tasks[i]);
        nodes++;
    }
    *ret_nodes = nodes;
    return least;
}

/* Deals as many rounds at once as change nothing about which nodes still have room. */
static uint64_t deal_evenly(uint64_t left, const uint32_t *room, uint32_t n, uint32_t *tasks)
{
    for (;;) {
        uint32_t nodes;
        const uint32_t least = least_room(room, tasks, n, &nodes);
        const uint64_t rounds = nodes ? MIN(left / nodes, least) : 0;

        if (nodes == 0 || left == 0)
            return left;
        for (uint32_t i = 0; i < n && left; i++) {
            const uint32_t given = tasks[i] < room[i] ? (uint32_t)(rounds ? rounds : 1) : 0;

            tasks[i] += given;
            left -= given;
        }
    }
}

/* Deals by planes. In the first round every node behind is left one task. */
static uint64_t deal_planes(uint32_t plane, uint64_t left, const uint32_t *room, uint32_t n,
                            uint32_t *tasks)
{
    bool more = true;

    for (bool first = true; left && more; first = false) {
        more = false;
        for (uint32_t i = 0; i < n && left; i++) {
            const uint32_t some = MIN(plane, room[i] - tasks[i]);

            tasks[i] += (uint32_t)deal_share(&left, first ? n - i - 1 : 0, some);
            more = more || tasks[i] < room[i];
        }
    }
    return left;
}

uint64_t deal_tasks(enum deal deal, uint32_t plane, uint64_t tasks, const uint32_t *room,
                    uint32_t n, uint32_t *ret_tasks)
{
    uint64_t left = tasks;

    for (uint32_t i = 0; i < n; i++)
        ret_tasks[i] = 0;
    if (deal == DEAL_EVENLY)
        return deal_evenly(left, room, n, ret_tasks);
    if (deal == DEAL_PLANES)
        return deal_planes(plane ? plane : 1, left, room, n, ret_tasks);
    for (uint32_t i = 0; i < n; i++)
        ret_tasks[i] = (uint32_t)deal_share(&left, n - i - 1, room[i]);
    return left;
}
