/*
 * resv.h - the reservations there are, and who may use them.
 *
 * The records are kept (common/msg/reservation.h); requests that change them are those of
 * control/reserve.
 */
#pragma once

#include "common/msg/reservation.h"
#include "ctld/control/act/act.h"
#include "ctld/control/act/kept.h"

extern const struct kept_rules reservation_rules;

/* Returns the reservation of this name, or NULL; it stays until it is removed. */
struct reservation_record *resv_find(const struct control *control, const char *name);

/* Goes through all reservations in the order in which they were made; *at begins at 0. NULL: that
 * was the last. */
struct reservation_record *resv_next(const struct control *control, uint64_t *at);

/* Whose job asks for a reservation. What is NULL is in no list. */
struct resv_guest {
    const char *user, *account, *qos, *partition;
    char *const *groups;
    uint32_t groups_n;
};

/* Returns whether jobs of the guest may use it: each list that the reservation has must let them.
 */
bool resv_admits(const struct control *control, const struct reservation_record *resv,
                 const struct resv_guest *guest);

/* Returns whether the reservation's present time has come and is not over. */
bool resv_is_open(const struct reservation_record *resv, int64_t wall_s);
