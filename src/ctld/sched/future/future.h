/*
 * future.h - what is taken on each node, from now to the end of time.
 *
 * Each node has a line of steps; a step is a stretch of time during which the same cpus are free
 * and the same memory is used. Running jobs and planned ones are taken from it alike, so in-order
 * start and backfill see one truth. Owns its lines.
 */
#pragma once

#include "ctld/sched/place/demand.h"

#define FUTURE_END (INT64_C(1) << 62) /* no moment is later */

struct future;

/* Returns a future in which all cpus of all nodes are free for ever. Borrows the cluster. */
struct future *future_new(const struct sched_cluster *cluster);
struct future *future_free(struct future *future);

/* Take a place, or give it back, from `from` up to but not including `to`. */
void future_take(struct future *future, const struct sched_place *place, int64_t from, int64_t to);
void future_give(struct future *future, const struct sched_place *place, int64_t from, int64_t to);

/* Finds what is free during all of [from, to). `ret` has room for the node's bits. */
void future_window(const struct future *future, uint32_t node, int64_t from, int64_t to,
                   struct supply *ret);

/*
 * Returns the first moment, not before `from`, from which on for `length` at least `least` is free
 * at any one time; FUTURE_END: never. It need not be the same cpus all the time, so this is where
 * to look, not yet where to go.
 */
int64_t future_ready(const struct future *future, uint32_t node, int64_t from, int64_t length,
                     const struct demand_least *least);

/* Returns what future_ready does for a job that is ended at `deadline`, whatever its length.
 * *ret_until is the last moment, without a gap from there, at which that is still so. */
int64_t future_ready_until(const struct future *future, uint32_t node, int64_t from, int64_t length,
                           int64_t deadline, const struct demand_least *least, int64_t *ret_until);

/* Answers future_ready for each of n rising lengths in one walk. */
void future_readies(const struct future *future, uint32_t node, int64_t from,
                    const struct demand_least *least, const int64_t *lengths, uint32_t n,
                    int64_t *ret);

/* Returns a number, never 0, that changes whenever something on the node is taken or given back. */
uint32_t future_version(const struct future *future, uint32_t node);

/* Returns until when, from `from` on, all of the place is free. */
int64_t future_until(const struct future *future, const struct sched_place *place, int64_t from);

/* Returns the first moment after `after` at which something on the node becomes free, or
 * FUTURE_END. */
int64_t future_next_release(const struct future *future, uint32_t node, int64_t after);

/* Returns `a` + `b`, at most FUTURE_END; b is not negative. */
int64_t future_add(int64_t a, int64_t b);
