/*
 * deal.h - how many tasks each of some nodes gets.
 */
#pragma once

#include <stdint.h>

enum deal {
    DEAL_EVENLY, /* one on each node in turn: Slurm's block and cyclic, which number them apart */
    DEAL_PACKED, /* as many as fit on the first node, then on the next */
    DEAL_PLANES, /* `plane` on each node in turn */
};

/*
 * Deals `tasks` to n nodes that have room for `room` each; no node is left without one while there
 * are enough. Fills ret_tasks and returns how many tasks found no room.
 */
uint64_t deal_tasks(enum deal deal, uint32_t plane, uint64_t tasks, const uint32_t *room,
                    uint32_t n, uint32_t *ret_tasks);

/* Takes from *left what a node gets when each of `behind` nodes must get one, too, and returns
 * that. */
uint64_t deal_share(uint64_t *left, uint32_t behind, uint64_t room);
