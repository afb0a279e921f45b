/*
 * outlook.h - when each node wakes for the present search, as far as it knows.
 *
 * A sight (sight.h) is shared by many kinds of jobs; an outlook is what one search makes of it:
 * nodes that its kind may not use never wake, and what the search has found out itself (memory, the
 * very cpus, users) is added. Groups and blocks are copied from the sight when they are first
 * looked at, so that a search which comes to few nodes pays for these only; after that the moments
 * of eight lie side by side and nothing else has to be asked.
 *
 * Owns its arrays. Positions are those of the cluster's order.
 */
#pragma once

#include "ctld/sched/search/sight.h"

struct outlook {
    uint64_t number; /* of the present search; of groups and blocks: the one that opened it */
    uint64_t *group_numbers; /* so these are known: */
    int64_t *wakes;          /* of each node of the group: it takes no part before */
    uint64_t *block_numbers;
    int64_t *groups; /* of each group of the block: no node of it wakes before */
};

void outlook_init(struct outlook *outlook, uint32_t nodes_n);
void outlook_clear(struct outlook *outlook);

/* Begins another search, for which nothing is known. */
static inline void outlook_begin(struct outlook *outlook)
{
    outlook->number++;
}

/* Opens what outlook_group and outlook_block find closed. */
void outlook_open_group(struct outlook *outlook, const struct sight *sight,
                        const struct bitset *open, uint32_t group);
void outlook_open_block(struct outlook *outlook, const struct sight *sight,
                        const struct bitset *open, uint32_t block);

/* Returns the moments of the group's nodes. */
static inline int64_t *outlook_group(struct outlook *outlook, const struct sight *sight,
                                     const struct bitset *open, uint32_t group)
{
    if (outlook->group_numbers[group] != outlook->number)
        outlook_open_group(outlook, sight, open, group);
    return &outlook->wakes[group * SIGHT_GROUP];
}

/* Returns the moments of the block's groups. */
static inline int64_t *outlook_block(struct outlook *outlook, const struct sight *sight,
                                     const struct bitset *open, uint32_t block)
{
    if (outlook->block_numbers[block] != outlook->number)
        outlook_open_block(outlook, sight, open, block);
    return &outlook->groups[block * SIGHT_GROUPS];
}

/* Returns the least of eight moments. */
static inline int64_t outlook_least(const int64_t *wakes)
{
    int64_t least = wakes[0];

    for (uint32_t i = 1; i < SIGHT_GROUP; i++)
        least = wakes[i] < least ? wakes[i] : least;
    return least;
}
