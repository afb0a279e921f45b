/*
 * pools.h - what is counted over time: how much of each pool is held, and what jobs claim of it.
 *
 * Lists of claims are interned: jobs that claim the same share one list. A pool that all jobs
 * together, running and waiting ones, cannot use up is not watched: nothing is counted of it and no
 * job asks for it. Of a watched pool a tally is kept over time.
 *
 * Owns lists and tallies. When a pool comes to be watched, the caller takes from it what is held.
 */
#pragma once

#include <uthash.h>

#include "ctld/sched/planner.h"
#include "ctld/sched/future/tally.h"

#define POOL_NONE UINT32_MAX

struct pool {
    enum plan_pool_kind kind;
    uint64_t total;
    int64_t opens_ms; /* of a gate that is closed: it is watched, and as if all of it were held */
    bool is_private;
    uint32_t reason;
    uint64_t unit, demand; /* of all jobs, in so large units that it can be summed up */
    bool watched;
    uint64_t held; /* by jobs that run, if it is watched */
    struct tally tally;
    uint64_t given_n, given_in; /* how often something became free in it, and when last: a period */
};

/* What a job claims, in the order of checking. */
struct claim_list {
    struct plan_claim *claims; /* owned */
    uint32_t n;
    uint32_t jobs_n;   /* that have it */
    uint32_t *watched; /* indexes of the claims of watched pools, in their order */
    uint32_t watched_n;
    uint64_t watched_at; /* pools->watches_n when that was found out */
    UT_hash_handle hh;
};

struct pools {
    struct pool *at;
    uint32_t n, privates_n;
    struct claim_list *lists; /* uthash by the claims */
    uint64_t watches_n;       /* rises when a pool is watched, or is no more */
    bool is_due;              /* a pool may have come to be worth watching */
    uint64_t held_n;          /* rises when what running jobs hold of a watched pool changes */
    uint64_t period;          /* see pools_period_begins */
    int64_t next_open_ms;     /* no closed gate opens earlier */
};

void pools_init(struct pools *pools, const struct plan_snapshot *snapshot);
void pools_clear(struct pools *pools); /* no job has a list any more */

/* One more pool, if the index is their number; else another total or moment. More may be held than
 * there is from now on, but nothing more is taken then. */
void pools_set(struct pools *pools, uint32_t index, const struct plan_pool *as, int64_t now_ms);

/* Time has passed: whether a gate has opened. */
bool pools_open_gates(struct pools *pools, int64_t now_ms);

/* The list of these claims, had by one job more; NULL: it claims nothing. */
struct claim_list *claims_get(struct pools *pools, const struct plan_claim *claims, uint32_t n);
void claims_put(struct pools *pools, struct claim_list *list);

/* The next pool that is worth watching, and is watched from now on; POOL_NONE: none is left. */
uint32_t pools_watch_next(struct pools *pools);

/* ---- lists; NULL claims nothing ---- */

/* Whether there is, or could be, so much of everything; if not, of which pool there is too little:
 * POOL_NONE where it is not known. */
bool claims_fit_ever(const struct pools *pools, const struct claim_list *list, uint32_t *ret_pool);

/* What the list claims of one pool. */
uint64_t claims_of(const struct claim_list *list, uint32_t pool);

/* ---- the watched pools of a list ---- */

/* Which of them. */
enum { POOLS_SHARED = 1, POOLS_PRIVATE = 2, POOLS_ALL = 3 };

bool claims_are_watched(const struct pools *pools, struct claim_list *list);

/* When a job takes all of it, or gives it back. */
struct claim_time {
    int64_t from, to; /* up to, but not including, `to` */
    bool runs;        /* it holds it now */
    uint32_t sorts;   /* and only of these */
};
void claims_take(struct pools *pools, struct claim_list *list, struct claim_time time);
void claims_give(struct pools *pools, struct claim_list *list, struct claim_time time);

/* The same for one pool alone, which has come to be watched. */
void claims_take_of(struct pools *pools, struct claim_list *list, uint32_t pool,
                    struct claim_time time);

/* The first moment, not before `at`, from which on for `length` all of it is free. */
int64_t claims_ready(const struct pools *pools, struct claim_list *list, uint32_t sorts, int64_t at,
                     int64_t length);

/* Until when, from `from` on, all of it is free. */
int64_t claims_until(const struct pools *pools, struct claim_list *list, uint32_t sorts,
                     int64_t from);

/* The first pool, in the order of checking, that has not enough at `at` for `length`, and when it
 * has, taken alone; POOL_NONE: all have. */
uint32_t claims_short(const struct pools *pools, struct claim_list *list, uint32_t sorts,
                      int64_t at, int64_t length, int64_t *ret_ready);

/* What running jobs leave now; UINT64_MAX: it is not watched, there is enough. */
uint64_t pools_left(const struct pools *pools, uint32_t pool);

/* The first pool of which running jobs alone leave too little now, or that is a closed gate;
 * POOL_NONE: none. */
uint32_t claims_exhausted(const struct pools *pools, struct claim_list *list, uint32_t sorts);

/* ---- what became free ---- */

/* What is given back is known from now on: who plans anew knows what was so before. */
void pools_period_begins(struct pools *pools);

/* Something of these pools stays free, for however short. */
void claims_freed(struct pools *pools, struct claim_list *list);

/* Whether that was so in one of them since the period began. */
bool claims_were_freed(const struct pools *pools, const struct claim_list *list);
