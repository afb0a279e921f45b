/*
 * window.h - when nodes, and parts of nodes, are kept for the jobs of a reservation.
 *
 * A job of a reservation runs only on what that has and within its spans; any other job must not be
 * there in those. What a reservation claims of pools is held in its spans, of watched pools. Owns
 * copies of the reservations; cluster and pools are borrowed.
 */
#pragma once

#include "ctld/sched/future/claims.h"
#include "ctld/sched/place/supply.h"

/* A reservation, as the planner keeps it. */
struct window {
    uint32_t id, flags; /* enum plan_resv_flags */
    struct plan_span *spans;
    uint32_t spans_n;
    struct bitset nodes;
    struct sched_place *parts; /* by rising node */
    uint32_t parts_n;
    int64_t overrun_ms, yields_ms, floats_ms;
    struct claim_list *claims; /* NULL: none */
};

struct node_windows {
    struct window **at;
    uint32_t n;
};

struct windows {
    const struct sched_cluster *cluster;
    struct pools *pools;
    struct window **list; /* by rising id */
    uint32_t n;
    struct node_windows *of_node;  /* of each node: those that have something there */
    uint32_t floating_n;           /* of the list, that never come nearer */
    int64_t end_after, end_before; /* no window ends between these */
};

/* As with windows_set, pools that have come to be worth watching are left to the caller. */
void windows_init(struct windows *windows, const struct sched_cluster *cluster, struct pools *pools,
                  const struct plan_snapshot *snapshot);
void windows_clear(struct windows *windows);

/* Replaces the reservation of the same id; one without spans is removed. */
void windows_set(struct windows *windows, const struct plan_reservation *reservation);

/* Takes what reservations claim of one pool, which has come to be watched. */
void windows_take_of(const struct windows *windows, uint32_t pool);

/* Returns whether any job may be kept off the node. */
static inline bool windows_are_on(const struct windows *windows, uint32_t node)
{
    return windows->of_node[node].n > 0;
}

/* Returns when a job of the reservation that is there at the moment is ended at the latest;
 * FUTURE_END: it is not. */
int64_t windows_deadline(const struct windows *windows, uint32_t reservation, int64_t at);

/*
 * Returns the first moment, not before `from`, at which a job of the reservation (0: of none) may
 * begin on the node, to run for `length` or to its deadline, as far as windows over whole nodes go;
 * FUTURE_END: never.
 */
int64_t windows_ready(const struct windows *windows, uint32_t node, uint32_t reservation,
                      int64_t from, int64_t length);

/* Takes from what is free on the node during [from, to) what windows over parts of it keep from a
 * job of the reservation. */
void windows_mask(const struct windows *windows, uint32_t node, uint32_t reservation, int64_t from,
                  int64_t to, struct supply *free);

/* Returns the first moment after `after` at which a window over a part of the node ends, or
 * FUTURE_END. */
int64_t windows_next_release(const struct windows *windows, uint32_t node, int64_t after);

/* Returns until when a job of the reservation that runs at `from` may be at the place. */
int64_t windows_until(const struct windows *windows, const struct sched_place *place,
                      uint32_t reservation, int64_t from);

/* Returns the first end of a window after the moment, or PLAN_NEVER. */
int64_t windows_next_end(struct windows *windows, int64_t after);

/* Returns when the reservation is first open at the moment or later; PLAN_NEVER: there is none. */
int64_t windows_open_at(const struct windows *windows, uint32_t reservation, int64_t at);

/* Sets which nodes windows with any of the flags (~0: all windows) keep whole from a job that is in
 * none and is there for so long. */
void windows_kept(const struct windows *windows, int64_t from, int64_t length, uint32_t flags,
                  struct bitset *ret);

/* Returns a window on the node, not of the job's reservation, that ends at this moment, or NULL. */
const struct window *windows_end_at(const struct windows *windows, uint32_t node,
                                    uint32_t reservation, int64_t at);
