/*
 * ask.h - what a request says of a reservation, written into its record, and who may ask.
 */
#pragma once

#include "common/msg/reservation.h"
#include "ctld/control/act/act.h"

/* Operators may all; with USER_DELETE who may use the reservation may remove it. E_USER_ID. */
int ask_check_caller(const struct act *act, enum reservation_verb verb,
                     const struct reservation_record *resv, struct err *err);

/*
 * Writes what is asked into the record: times, flags, lists, numbers. `was` is the record as it is
 * in the table, NULL for a new one. *ret_chooses: nodes have to be chosen anew.
 */
int ask_write(const struct act *act, const struct reservation_ask *ask,
              const struct reservation_record *was, struct reservation_record *resv,
              bool *ret_chooses, struct err *err);
