/*
 * deadline.h - when a job of a reservation is ended, whatever its own time.
 */
#pragma once

#include "ctld/sched/planner.h"

static inline const struct plan_reservation *find_reservation(const struct plan_snapshot *snapshot,
                                                              uint32_t id)
{
    for (uint32_t i = 0; i < snapshot->reservations_n; i++) {
        if (snapshot->reservations[i].id == id)
            return &snapshot->reservations[i];
    }
    return NULL;
}

/* The earlier of `end` and the end of the reservation's span that `from` is in. */
static inline int64_t deadline_cut(const struct plan_snapshot *snapshot, uint32_t reservation,
                                   int64_t from, int64_t end)
{
    const struct plan_reservation *own = find_reservation(snapshot, reservation);

    if (!own || own->flags & PLAN_RESV_FLEX || own->overrun_ms == PLAN_NEVER)
        return end;
    for (uint32_t i = 0; i < own->spans_n; i++) {
        const int64_t ends = own->spans[i].to_ms + own->overrun_ms;

        if (from >= own->spans[i].from_ms && from < own->spans[i].to_ms && ends < end)
            return ends;
    }
    return end;
}
