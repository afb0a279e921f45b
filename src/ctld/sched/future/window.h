/*
 * window.h - when nodes are kept for the jobs of a reservation.
 *
 * A job of a reservation runs only on its nodes and within its time; any other job must not run on
 * them in that time. Owns its reservations.
 */
#pragma once

#include "ctld/sched/planner.h"

struct windows {
    struct plan_reservation *list;
    uint32_t n;
};

void windows_init(struct windows *windows, const struct plan_snapshot *snapshot);
void windows_clear(struct windows *windows);

/* Replaces the reservation of the same id; one without nodes is removed. */
void windows_set(struct windows *windows, const struct plan_reservation *reservation);

const struct plan_reservation *windows_find(const struct windows *windows, uint32_t id);

/*
 * Returns the first moment, not before `from`, at which a job of the reservation (0: of none) may
 * run for `length` on the node, as far as reservations go; FUTURE_END: never.
 */
int64_t windows_ready(const struct windows *windows, uint32_t node, uint32_t reservation,
                      int64_t from, int64_t length);

/* Returns until when a job of the reservation that runs at `from` may be on the node. */
int64_t windows_until(const struct windows *windows, uint32_t node, uint32_t reservation,
                      int64_t from);

/* Returns the first end of a window after the moment, or PLAN_NEVER. */
int64_t windows_next_end(const struct windows *windows, int64_t after);

/* Returns a window on the node, not of the job's reservation, that ends at this moment, or NULL. */
const struct plan_reservation *windows_end_at(const struct windows *windows, uint32_t node,
                                              uint32_t reservation, int64_t at);
