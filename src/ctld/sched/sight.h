/*
 * sight.h - what looking into the future has taught: moments before which looking is in vain.
 *
 * While nothing is given back the future only fills up, so a moment at which a kind of job found no
 * place stays bad. A sight holds such moments for the jobs of one kind that run equally long. Their
 * number is bounded; the one used longest ago goes first.
 */
#pragma once

#include "ctld/sched/kind.h"

struct sight_key {
    uint64_t kind; /* serial */
    int64_t length;
};

struct sight {
    struct sight_key key;
    uint64_t number; /* of the sights when it was begun */
    int64_t from;    /* no such job starts earlier */
    int64_t *wakes;  /* one for each of the kind's nodes: takes no part before that */
    UT_hash_handle hh;
};

struct sights;

struct sights *sights_new(void);
struct sights *sights_free(struct sights *sights);

/* All are wrong from now on. */
void sights_forget(struct sights *sights);

/* The one for such jobs, begun if need be; nodes that are not usable never wake. Valid until the
 * next call. */
struct sight *sights_get(struct sights *sights, const struct kind *kind, int64_t length,
                         const struct bitset *usable);
