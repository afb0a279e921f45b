/*
 * claims.h - when all that a list claims is free: what jobs hold of watched pools over time.
 *
 * Owns nothing: tallies are the pools'.
 */
#pragma once

#include "ctld/sched/future/pools.h"

bool claims_are_watched(const struct pools *pools, struct claim_list *list);

/* When a job takes all of it, or gives it back. */
struct claim_time {
    int64_t from, to;                 /* up to, but not including, `to` */
    bool runs;                        /* it holds it now */
    uint32_t sorts;                   /* and only of these */
    const struct sched_place *places; /* where; none: it waits in its pools alone */
    uint32_t places_n;
};
void claims_take(struct pools *pools, struct claim_list *list, struct claim_time time);
void claims_give(struct pools *pools, struct claim_list *list, struct claim_time time);

/* The same for one pool alone, which has come to be watched. */
void claims_take_of(struct pools *pools, struct claim_list *list, uint32_t pool,
                    struct claim_time time);

/* The first moment, not before `at`, from which on for `length` all of it is free. */
int64_t claims_ready(const struct pools *pools, struct claim_list *list, uint32_t sorts, int64_t at,
                     int64_t length);

/* Until when, from `from` on, all of it is free for a job that begins then. */
int64_t claims_until(const struct pools *pools, struct claim_list *list, uint32_t sorts,
                     int64_t from);

/* A job of this length may begin at `from` as far as these pools go: until when that is so while
 * time passes; FUTURE_END: for ever. */
int64_t claims_close(const struct pools *pools, struct claim_list *list, uint32_t sorts,
                     int64_t from, int64_t length);

/* The first pool, in the order of checking, that has not enough at `at` for `length`, and when it
 * has, taken alone; POOL_NONE: all have. */
uint32_t claims_short(const struct pools *pools, struct claim_list *list, uint32_t sorts,
                      int64_t at, int64_t length, int64_t *ret_ready);

/* The first pool of which running jobs alone leave too little now for a job of this length, or that
 * is a closed gate; POOL_NONE: none. In *ret_falls_ms when time alone changes that of a ramp. */
uint32_t claims_exhausted(const struct pools *pools, struct claim_list *list, uint32_t sorts,
                          int64_t length, int64_t *ret_falls_ms);

/* Whether running jobs leave too little of the pool now for two more. */
bool claims_exhaust(const struct pools *pools, uint32_t pool, const struct claim_list *list,
                    int64_t length, const struct claim_list *other, int64_t other_length);

/* The first watched pool, in the order of checking, of which a job takes what its nodes say;
 * POOL_NONE: of none. */
uint32_t claims_by_nodes(const struct pools *pools, struct claim_list *list);

/* ---- nodes that are counted ---- */

/* How many nodes that count anew are left all through [from, to). */
uint64_t claims_nodes_left(const struct pools *pools, struct claim_list *list, int64_t from,
                           int64_t to);

/* The nodes that do not count anew at any time in [from, to) at which fewer than `most` are left.
 * `ret` is initialized by this. */
void claims_nodes_free(const struct pools *pools, struct claim_list *list, int64_t from, int64_t to,
                       uint64_t most, struct bitset *ret);

/* The first moment after `at` at which that may be other nodes. */
int64_t claims_nodes_next(const struct pools *pools, struct claim_list *list, int64_t at);

/* Until when the job, which has taken all of it from `from` on, leaves no pool short of nodes. */
int64_t claims_nodes_until(const struct pools *pools, struct claim_list *list, int64_t from);

/* Another number whenever running jobs hold other nodes of the pools that count the list's. */
uint64_t claims_nodes_number(const struct pools *pools, struct claim_list *list);

/* ---- claims by what the job gets ---- */

/* Whether there is enough of watched pools at `at` for what a job gets with these places, and until
 * when there is. */
bool claims_fit_places(const struct pools *pools, struct claim_list *list, int64_t at,
                       int64_t length, const struct sched_place *places, uint32_t n);
int64_t claims_places_until(const struct pools *pools, struct claim_list *list, int64_t from,
                            const struct sched_place *places, uint32_t n);

/* A job that would get so many nodes like this one. */
struct claim_share {
    const struct kind *kind;
    const struct sched_node *node;
    uint32_t nodes_n;
    int64_t length;
};

/* From when on there is enough for that, or for whatever places: not before `at`, and not exactly
 * then where several pools have to have it; FUTURE_END: never. */
int64_t claims_share_ready(const struct pools *pools, struct claim_list *list,
                           const struct claim_share *share, int64_t at);
int64_t claims_most_ready(const struct pools *pools, struct claim_list *list, int64_t at,
                          int64_t length);

/* ---- what became free ---- */

/* Something of these pools stays free, for however short. */
void claims_freed(struct pools *pools, struct claim_list *list);

/* Whether that was so in one of them since the period began. */
bool claims_were_freed(const struct pools *pools, const struct claim_list *list);
