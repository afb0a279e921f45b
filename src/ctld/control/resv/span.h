/*
 * span.h - when a reservation is: what comes every day comes at the same hour by the clock on the
 * wall, also where clocks are put back or forward.
 */
#pragma once

#include "common/msg/reservation.h"

/*
 * Returns the first start after the moment of a reservation that comes again, 0 of one that does
 * not. Starts are counted from its first one, so that an hour which a clock does not show moves one
 * time of it and no later one.
 */
int64_t resv_next_start(const struct reservation_record *resv, int64_t after);

/* Returns how long it is each time, in seconds. */
static inline int64_t resv_length(const struct reservation_record *resv)
{
    return resv->end - resv->start;
}

/* Returns whether any of the two reservations' times in the next year meet. */
bool resv_times_meet(const struct reservation_record *a, const struct reservation_record *b);

/* The times of a reservation, one after another, from its present or next one on. */
struct resv_times {
    const struct reservation_record *resv;
    int64_t start, end; /* of the last one */
};

/* Begins before the first one. */
struct resv_times resv_times_begin(const struct reservation_record *resv);

/* Moves on; returns false when there is none that begins before `until`. */
bool resv_times_next(struct resv_times *times, int64_t until);
