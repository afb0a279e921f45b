/*
 * census.h - how many entries of the replay cache each account has, by age, and whose are to go.
 *
 * Taken when the table is full, and free again after: the books of a table that is not full cost
 * nothing.
 */
#pragma once

#include "auth/replay/slots.h"

enum {
    CENSUS_ACCOUNTS = 256,
    CENSUS_RESERVED = 16, /* the first accounts; each keeps a part of the table */
};

struct census;

/* Counts the table. Entries made more than `reach_s` before or after `now` are not counted. */
struct census *census_new(const struct slots *slots, int64_t now, int32_t reach_s);
struct census *census_free(struct census *census);

struct census_victim {
    uint8_t account;
    int64_t until; /* the second up to which what it made is given up */
};

/*
 * Strikes out the oldest span of the account that has most; of the accounts that have entries older
 * than `young_s`, while there are any. Leaves the reserved accounts `allowance` entries each.
 * Returns how many entries that frees; 0 when there is nothing to give.
 */
uint32_t census_strike(struct census *census, int32_t young_s, uint32_t allowance,
                       struct census_victim *ret);
