/*
 * reserve.h - making, changing and ending reservations (scontrol(1), "CREATE RESERVATION").
 */
#pragma once

#include "common/msg/reservation.h"
#include "ctld/control/act/act.h"

/*
 * Makes a reservation, changes one, or removes it; *ret, initialised by the caller, is told its
 * name. Errors are Slurm's: E_USER_ID who may not, E_RESERVATION one that is not there,
 * E_TIME_VALUE, E_NODES_BUSY, E_RESERVATION_OVERLAP, E_RESERVATION_IN_USE and so on; nothing is
 * changed then.
 */
int reserve_change(struct act *act, const struct reservation_change *request,
                   struct reservation_changed *ret, struct err *err);

/* Takes a reservation out of the table and of the plan. */
void reserve_gone(struct act *act, struct reservation_record *resv);

/* Does what is due: removes a reservation whose time is over, or moves it to the next time. Its
 * jobs are ended as others are that have had their time. */
void reserve_tick(struct act *act);
