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

#include "ctld/sched/future/nodecount.h"
#include "ctld/sched/future/rates.h"

#define POOL_NONE UINT32_MAX

/* Sorts of pools: callers ask for the watched pools of some sorts in a list. */
enum {
    POOLS_SHARED = 1,
    POOLS_PRIVATE = 2,
    POOLS_ALL = 3,
    POOLS_FALLING = 4, /* shared ones of which time alone gives something back */
};

struct pool {
    enum plan_pool_kind kind;
    uint64_t total;
    int64_t opens_ms; /* of a gate that is closed: it is watched, and as if all of it were held */
    bool is_private;
    bool is_spent;    /* claims are held to the end of time */
    bool is_for_each; /* nothing of it is held; lists that may need more than its total watch it */
    uint32_t sorts;   /* the sorts it is of */
    uint32_t reason;
    tally_area demand; /* of all jobs, running and waiting ones */
    bool watched;
    uint64_t held;        /* by running jobs, if it is watched; of a ramp the sum of amounts */
    tally_area held_ends; /* of a ramp: the sum of amounts times the moments at which they end */
    struct tally tally;
    struct nodecount nodes;     /* of one that counts nodes, instead of tally and held */
    uint64_t held_at;           /* pools->held_n when what running jobs hold of it changed last; 0:
                                   it has not since it is watched */
    uint64_t given_n, given_in; /* how often something became free in it, and when last: a period */
    struct claim_list **lists;  /* that claim of it; owned array */
    uint32_t lists_n;
};

/* What a job takes of one pool. Where it hangs on the nodes, only bounds are known before they
 * are. */
struct pool_claim {
    uint32_t pool;
    uint32_t whole : 1;  /* of one that counts nodes: others cannot be beside it */
    uint32_t rates : 31; /* 0: it is the same on all nodes; else by pools->rates, from 1 */
    uint64_t least, most;
};

/* What claims are reckoned from, beside what they say themselves. */
struct claim_terms {
    int64_t length;
    uint32_t nodes_least, nodes_most;
    const struct kind *kind;          /* of one that waits; NULL: it runs on */
    const struct sched_place *places; /* nodes_most of them */
};

/* No job of this length or longer finds its private pools free before `until`, while the caller's
 * number is the same. */
struct claim_vain {
    int64_t length, until;
    uint64_t number;
};

/* What a job claims, in the order in which pools are checked. */
struct claim_list {
    struct pool_claim *claims; /* owned */
    uint32_t n;
    uint32_t jobs_n;   /* how many jobs have it */
    tally_area length; /* of all of them */
    bool by_length;    /* what a job takes of some pool hangs on its length */
    bool by_nodes;     /* what a job takes of some pool hangs on its nodes */
    uint32_t *places;  /* of each claim: where the list is among those of the pool */
    uint32_t *watched; /* indexes of the claims of watched pools, in their order */
    uint32_t watched_n;
    bool watched_known;
    uint32_t changed;    /* its place, from 1, among the changed lists; 0: it is not there */
    struct lane *lanes;  /* the lanes of jobs that have it (limits.h) */
    int64_t longest_ms;  /* job that there is enough for; PLAN_NEVER: one without limit; 0: none */
    uint64_t longest_at; /* pools->totals_n when that was found out */
    struct claim_vain vain;
    UT_hash_handle hh;
};

struct pools {
    const struct sched_cluster *cluster; /* borrowed */
    struct rates *rates;                 /* all that were ever said */
    uint32_t rates_n;
    struct pool *at;
    uint32_t n, privates_n;
    struct claim_list *lists;    /* uthash by the claims */
    struct claim_list **changed; /* lists that pools_next_changed has not given out yet */
    uint32_t changed_n;
    uint64_t totals_n; /* rises when a pool has another total */
    uint32_t *due;     /* pools that may have come to be worth watching; owned */
    uint32_t due_n;
    uint64_t held_n; /* rises when what running jobs hold of a watched pool changes, or
                        that may matter to others than before */
    int64_t now_ms;
    int64_t falls_ms;     /* before this time alone does not make it matter to others */
    uint64_t period;      /* see pools_period_begins */
    int64_t next_open_ms; /* no closed gate opens earlier */
};

void pools_init(struct pools *pools, const struct sched_cluster *cluster,
                const struct plan_snapshot *snapshot);
void pools_clear(struct pools *pools); /* no job has a list any more */

/* Adds a pool if the index is their number; else gives the pool another total or moment. From then
 * on more may be held than there is, but nothing more is taken. */
void pools_set(struct pools *pools, uint32_t index, const struct plan_pool *as, int64_t now_ms);

/* Lets time pass up to now_ms. Returns whether a gate has opened. */
bool pools_pass_time(struct pools *pools, int64_t now_ms);

/* From falls_ms on, what is held is to be taken as changed, since it may matter to other jobs
 * then. */
void pools_await_fall(struct pools *pools, int64_t falls_ms);

/* Returns the first moment at which time alone may let jobs start, or make them wait for other
 * pools than now. */
int64_t pools_next_ms(const struct pools *pools);

/* Returns whether some claim takes an amount that is known only with the nodes of the job. */
bool pools_count_nodes(const struct pools *pools, const struct plan_claim *claims, uint32_t n);

/* Returns the list of these claims, which one more job now has, or NULL when there is nothing to
 * claim. The list is given back by claims_put with the length that it was got with. */
struct claim_list *claims_get(struct pools *pools, const struct plan_claim *claims, uint32_t n,
                              const struct claim_terms *terms);
void claims_put(struct pools *pools, struct claim_list *list, int64_t length);

/* Tells that one of the list's jobs is longer by `more` milliseconds than was said before. */
void claims_lengthen(struct pools *pools, struct claim_list *list, int64_t more);

/* Begins to watch the next pool that is worth it and returns its index, or POOL_NONE when none is
 * left. */
uint32_t pools_watch_next(struct pools *pools);

/* Notes that all that is held of the pool, which has come to be watched, was taken: nobody holds
 * other nodes of it than before. */
void pools_note_counted(struct pools *pools, uint32_t pool);

/* Notes that running jobs hold another amount of the pool now. */
void pools_note_held(struct pools *pools, struct pool *pool);

/* Returns a list of which pools->held_n rose since it was returned last, or since it was made; NULL
 * when there is none left. */
struct claim_list *pools_next_changed(struct pools *pools);

/* ---- lists; NULL claims nothing ---- */

/* Returns whether there is, or could be, enough of each pool of these sorts for a job of this
 * duration (PLAN_NEVER: without limit). If not, *ret_pool is the pool that is too small, or
 * POOL_NONE where it is not known. */
bool claims_fit_ever(const struct pools *pools, struct claim_list *list, uint32_t sorts,
                     int64_t duration_ms, uint32_t *ret_pool);

/* Returns what the list claims of the pool, or NULL: nothing; and the least amount that it
 * claims. */
const struct pool_claim *claims_find(const struct claim_list *list, uint32_t pool);
uint64_t claims_of(const struct claim_list *list, uint32_t pool);

/* ---- what became free ---- */

/* Begins a period: claims_were_freed tells what was given back since. Plans that are made from now
 * on know what was given back before. */
void pools_period_begins(struct pools *pools);

/* Notes that something of the pool is free now that was not, whatever becomes of it. */
void pools_note_given(struct pools *pools, uint32_t pool);
