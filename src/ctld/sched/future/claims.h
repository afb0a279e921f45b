/*
 * claims.h - when all that a list claims is free: what jobs hold of watched pools over time.
 *
 * Owns nothing: tallies are the pools'.
 */
#pragma once

#include "ctld/sched/future/pools.h"

bool claims_are_watched(const struct pools *pools, struct claim_list *list);

/* How and when a job takes its claims, or gives them back. */
struct claim_time {
    int64_t from, to;                 /* up to, but not including, `to` */
    bool runs;                        /* the job holds it now */
    uint32_t sorts;                   /* only pools of these sorts */
    const struct sched_place *places; /* where; none: it waits in its pools alone */
    uint32_t places_n;
};
void claims_take(struct pools *pools, struct claim_list *list, struct claim_time time);
void claims_give(struct pools *pools, struct claim_list *list, struct claim_time time);

/* Takes what the list claims of one pool, which has come to be watched. */
void claims_take_of(struct pools *pools, struct claim_list *list, uint32_t pool,
                    struct claim_time time);

/* Returns the first moment, not before `at`, from which on for `length` all claims on pools of
 * these sorts are free, or FUTURE_END. */
int64_t claims_ready(const struct pools *pools, struct claim_list *list, uint32_t sorts, int64_t at,
                     int64_t length);

/*
 * Returns the same for private pools, where many jobs with one list wait behind each other: what
 * was found out in vain is not looked through again. The caller's `number` changes whenever
 * something of any pool may have become free that was not.
 */
int64_t claims_ready_of_private(const struct pools *pools, struct claim_list *list, int64_t at,
                                int64_t length, uint64_t number);

/* Returns until when, from `from` on, all claims on pools of these sorts are free for a job that
 * begins then. */
int64_t claims_until(const struct pools *pools, struct claim_list *list, uint32_t sorts,
                     int64_t from);

/* Returns until when a job of this length that may begin at `from` may still begin, as far as these
 * pools go, while time passes; FUTURE_END: for ever. */
int64_t claims_close(const struct pools *pools, struct claim_list *list, uint32_t sorts,
                     int64_t from, int64_t length);

/* Returns the first pool, in the order of checking, that has too little at `at` for `length`, or
 * POOL_NONE. *ret_ready (may be NULL) is when that pool, taken alone, has enough. */
uint32_t claims_short(const struct pools *pools, struct claim_list *list, uint32_t sorts,
                      int64_t at, int64_t length, int64_t *ret_ready);

/* Returns the first pool of which running jobs alone leave too little now for a job of this length,
 * or that is a closed gate; POOL_NONE: there is none. *ret_falls_ms is when time alone changes
 * that, for a ramp, else PLAN_NEVER. */
uint32_t claims_exhausted(const struct pools *pools, struct claim_list *list, uint32_t sorts,
                          int64_t length, int64_t *ret_falls_ms);

/* Returns whether running jobs leave too little of the pool now for two more jobs with these lists
 * and lengths. */
bool claims_exhaust(const struct pools *pools, uint32_t pool, const struct claim_list *list,
                    int64_t length, const struct claim_list *other, int64_t other_length);

/* Returns the first watched pool, in the order of checking, of which the job takes what its nodes
 * say, or POOL_NONE. */
uint32_t claims_by_nodes(const struct pools *pools, struct claim_list *list);

/* ---- nodes that are counted ---- */

/* Returns how many nodes that do not count already the pools leave at every moment of [from,
 * to). */
uint64_t claims_nodes_left(const struct pools *pools, struct claim_list *list, int64_t from,
                           int64_t to);

/* Initializes `ret` with the nodes that count already whenever during [from, to) fewer than `most`
 * more may be held. */
void claims_nodes_free(const struct pools *pools, struct claim_list *list, int64_t from, int64_t to,
                       uint64_t most, struct bitset *ret);

/* Returns the first moment after `at` at which claims_nodes_free may find other nodes. */
int64_t claims_nodes_next(const struct pools *pools, struct claim_list *list, int64_t at);

/* Returns until when no pool is short of nodes once the job has taken its claims from `from` on. */
int64_t claims_nodes_until(const struct pools *pools, struct claim_list *list, int64_t from);

/* Returns a number that changes whenever running jobs hold other nodes of pools that count nodes
 * and that the list claims of. */
uint64_t claims_nodes_number(const struct pools *pools, struct claim_list *list);

/* ---- claims by what the job gets ---- */

/* Tell whether watched pools have enough at `at` for what a job gets with these places, and until
 * when, from `from` on, they have. */
bool claims_fit_places(const struct pools *pools, struct claim_list *list, int64_t at,
                       int64_t length, const struct sched_place *places, uint32_t n);
int64_t claims_places_until(const struct pools *pools, struct claim_list *list, int64_t from,
                            const struct sched_place *places, uint32_t n);

/* A job that would get nodes_n nodes like this one. */
struct claim_share {
    const struct kind *kind;
    const struct sched_node *node;
    uint32_t nodes_n;
    int64_t length;
};

/* Return from when on watched pools have enough for the share, or for the most that the job may
 * get. The moment is not before `at`, and only a lower bound where several pools must have enough;
 * FUTURE_END: never. */
int64_t claims_share_ready(const struct pools *pools, struct claim_list *list,
                           const struct claim_share *share, int64_t at);
int64_t claims_most_ready(const struct pools *pools, struct claim_list *list, int64_t at,
                          int64_t length);

/* ---- what became free ---- */

/* Notes that something of the list's pools stays free, for however short a time. */
void claims_freed(struct pools *pools, struct claim_list *list);

/* Returns whether claims_freed was told of one of the list's pools since the period began. */
bool claims_were_freed(const struct pools *pools, const struct claim_list *list);
