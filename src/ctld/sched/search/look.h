/*
 * look.h - what the two ways of searching share: moment.c tries one moment on all nodes, sweep.c
 * goes from node to node through the moments.
 */
#pragma once

#include "ctld/sched/search/outlook.h"
#include "ctld/sched/pick/pick.h"
#include "ctld/sched/search/search.h"

/* A node that could take its part from some moment on. */
struct stay {
    int64_t until; /* no longer than that */
    uint32_t position;
};

struct search {
    const struct sched_cluster *cluster;
    const struct future *future;
    const struct windows *windows;
    const struct holders *holders;
    struct holder_user user; /* whose job it is */
    struct sights *sights;
    uint32_t *models;                /* of each node: close together, for these are asked most */
    struct pick_node *able, *picked; /* room for all nodes */
    int64_t *waits;
    struct outlook outlook;        /* of the present search */
    struct node_shortage shortage; /* of the present try */
    uint32_t looks_n;              /* at nodes, since search_looks was asked */
    int64_t *soonest;              /* a tree of least values; leaves: of each block (sweep.c) */
    uint32_t leaves_n;             /* a power of two */
    struct bitset held;            /* positions of the nodes in `stays` */
    struct stay *stays;            /* room for all nodes */
    uint64_t *frees_bits;
    struct supply *frees; /* of the able nodes, for choose_nodes */
    uint32_t words;       /* of the largest node */
    struct supply window; /* room for the bits of the largest node */
    bool keeps_plan;
};

/* What one look at all nodes at one moment finds. */
struct look {
    const struct kind *kind;
    struct sight *sight;
    struct pick_rule rule;
    int64_t at, length, now_ms;
    bool now;
    const struct bitset *allowed; /* no other nodes; NULL: any */
    const struct bitset *known;   /* other nodes than these only so many more; NULL: any */
    uint32_t others;
    bool will_do;   /* the able ones */
    uint32_t wants; /* able ones, for a start */
    uint32_t able_n;
    uint64_t tasks;     /* that the able ones hold */
    int64_t first_wait; /* the earliest moment at which one that was visited wakes */
    int64_t grows_at;   /* an able node may hold more from then on */
};

/*
 * Returns how many tasks the node can hold at look->at, or 0 and in *ret_wake a moment before which
 * it holds none. Gives up looking for that at `enough`.
 */
uint32_t look_at_node(struct search *search, const struct look *look, uint32_t node, int64_t enough,
                      int64_t *ret_wake, struct gres_share *ret_most);

/*
 * Returns the first moment, look->at or later, from which on the node has as much as a part needs,
 * by the numbers alone: where to look, not yet where to go. *ret_until is the last moment, without
 * a gap from there, at which that is still so.
 */
int64_t look_at_counts(struct search *search, const struct look *look, uint32_t node,
                       int64_t *ret_until);

/* Returns the first moment after `after` at which there may be more room on the node, or
 * FUTURE_END. */
int64_t look_next_release(const struct search *search, uint32_t node, int64_t after);

/* Returns the moments at which the group's nodes wake, as far as the search knows. */
static inline int64_t *look_group(struct search *search, const struct look *look, uint32_t group)
{
    return outlook_group(&search->outlook, look->sight, &look->kind->open, group);
}

/* Returns the moments at which the block's groups wake. */
static inline int64_t *look_block(struct search *search, const struct look *look, uint32_t block)
{
    return outlook_block(&search->outlook, look->sight, &look->kind->open, block);
}

/* Returns a moment before which the node can take no part of the job, as far as is known. */
static inline int64_t look_wake(struct search *search, const struct look *look, uint32_t position)
{
    return look_group(search, look, position / SIGHT_GROUP)[position % SIGHT_GROUP];
}

/* Returns whether the node is awake at look->at, after what changed there is learned. `wakes` are
 * the moments of its group. */
static inline bool look_is_awake(struct search *search, const struct look *look, int64_t *wakes,
                                 uint32_t position)
{
    int64_t *wake = &wakes[position % SIGHT_GROUP];

    if (*wake > look->at)
        return false;
    search->looks_n += sights_learn_node(search->sights, look->sight, position, look->now_ms);
    if (look->sight->wakes[position] > *wake)
        *wake = look->sight->wakes[position];
    return *wake <= look->at;
}

/* Returns the first moment, look->at or later, at which as many nodes as the job needs may be
 * awake. */
int64_t look_enough(struct search *search, const struct look *look);

/* Returns the places of the n chosen nodes, search->picked. */
struct sched_place *look_places(struct search *search, const struct look *look, uint32_t n);

/*
 * Looks from look->at on for the first moment at which there are enough nodes for a job that any
 * nodes will do for, and returns as search_try. look->at becomes that moment.
 */
uint32_t sweep(struct search *search, struct look *look, struct sched_place **ret_places);

/* Tries look->at alone and returns as search_try. */
uint32_t moment_try(struct search *search, struct look *look, struct sched_place **ret_places,
                    int64_t *ret_next);

/* Tries look->at where only some nodes may be taken. *ret_next is a moment at which there is more
 * room, whether for this job or not. */
uint32_t moment_try_within(struct search *search, struct look *look,
                           struct sched_place **ret_places, int64_t *ret_next);
