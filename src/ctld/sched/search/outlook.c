#include "ctld/sched/search/outlook.h"

#include <string.h>

#define ALL ((UINT64_C(1) << SIGHT_GROUP) - 1)

void outlook_init(struct outlook *outlook, uint32_t nodes_n)
{
    const size_t blocks_n = nodes_n / SIGHT_BLOCK + 1;

    *outlook = (struct outlook){ .number = 1 };
    outlook->group_numbers = xcalloc(blocks_n, SIGHT_GROUPS * sizeof(*outlook->group_numbers));
    outlook->wakes = xcalloc(blocks_n, SIGHT_BLOCK * sizeof(*outlook->wakes));
    outlook->block_numbers = xcalloc(blocks_n, sizeof(*outlook->block_numbers));
    outlook->groups = xcalloc(blocks_n, SIGHT_GROUPS * sizeof(*outlook->groups));
}

void outlook_clear(struct outlook *outlook)
{
    free(outlook->group_numbers);
    free(outlook->wakes);
    free(outlook->block_numbers);
    free(outlook->groups);
    *outlook = (struct outlook){ .number = 1 };
}

void outlook_open_group(struct outlook *outlook, const struct sight *sight,
                        const struct bitset *open, uint32_t group)
{
    const uint64_t mine = sight_in_group(open, group);
    int64_t *wakes = &outlook->wakes[group * SIGHT_GROUP];

    memcpy(wakes, &sight->wakes[group * SIGHT_GROUP], SIGHT_GROUP * sizeof(*wakes));
    for (uint32_t i = 0; i < SIGHT_GROUP && mine != ALL; i++)
        wakes[i] = mine >> i & 1 ? wakes[i] : FUTURE_END;
    outlook->group_numbers[group] = outlook->number;
}

void outlook_open_block(struct outlook *outlook, const struct sight *sight,
                        const struct bitset *open, uint32_t block)
{
    const uint32_t first = block * SIGHT_GROUPS;
    int64_t *groups = &outlook->groups[first];

    memcpy(groups, &sight->groups[first], SIGHT_GROUPS * sizeof(*groups));
    for (uint32_t i = 0; i < SIGHT_GROUPS && open->words[block] != UINT64_MAX; i++)
        groups[i] = sight_in_group(open, first + i) ? groups[i] : FUTURE_END;
    outlook->block_numbers[block] = outlook->number;
}
