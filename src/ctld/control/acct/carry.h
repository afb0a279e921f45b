/*
 * carry.h - transactions of one place that another one takes: of a cluster that comes to a
 * slurmdbd, or of a slurmdbd whose history a cluster takes back. Each comes once, with the place
 * where it happened.
 */
#pragma once

#include "common/msg/dbd.h"
#include "ctld/control/act/act.h"

/* A place among the events of a store as one number, which rises. */
#define CARRY_TURN_BITS 24
static inline uint64_t carry_place(uint64_t turn, uint32_t n)
{
    return turn << CARRY_TURN_BITS | n;
}
static inline uint64_t carry_place_turn(uint64_t place)
{
    return place >> CARRY_TURN_BITS;
}
static inline uint32_t carry_place_n(uint64_t place)
{
    return (uint32_t)place & ((1U << CARRY_TURN_BITS) - 1);
}

/* Returns up to which of its events those of that place are here; 0: none are. */
uint64_t carry_until(const struct control *control, uint64_t place);

/* Takes those that are not here yet, and did not happen here, which is the place `own`. */
void carry_take(struct act *act, uint64_t own, const struct dbd_carried *carried);

/* Fills a message with transactions of this place `own` for another one, which has its own. Takes
 * over the events; `until` is the place of the last that was looked at. */
void carry_fill(uint64_t own, uint64_t other, struct event_record *events, uint32_t n,
                uint64_t until, struct dbd_carried *ret);

void carry_load_number(struct control *control, const char *name, int64_t number);
void carry_clear(struct control *control);
