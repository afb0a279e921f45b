/*
 * ask_reservation.h - what follows create and update of a reservation: KEY=VALUE pairs. Pure.
 */
#pragma once

#include "common/msg/reservation.h"

/* True if the word names reservations as what is meant: ReservationName, as short as res, with or
 * without a value. */
bool ask_is_reservation(const char *word);

/* True if create or update with these words is about a reservation. */
bool ask_means_reservation(int argc, char *const *argv);

/*
 * Reads the pairs, keys in any case and as short as Slurm takes them. Fails with EINVAL, or with
 * E_TIME_VALUE for a moment; the text is what Slurm prints then. What a new reservation lacks is
 * found out here, what else is wrong by the controller. `ret_ask` is initialized; clear it.
 */
int ask_parse_reservation(enum reservation_verb verb, int argc, char *const *argv, int64_t now,
                          struct reservation_ask *ret_ask, struct err *err);
