/*
 * usage_record.h - how usage decays, and the records that keep it. For this room only.
 */
#pragma once

#include "common/msg/acct.h"
#include "ctld/control/act/act.h"

/* Returns what is left of 1 after some time; half_life_ms 0: all. */
double usage_left(int64_t half_life_ms, int64_t passed_ms);

/* Returns the seconds that count of what is used at an even rate over some time up to now, and
 * decays meanwhile. */
double usage_span(int64_t half_life_ms, int64_t passed_ms);

/* Amounts of TRES; the one behind the last is run time. */
struct usage_amounts {
    char *const *names;
    uint32_t n;
    const double *values; /* n + 1, in TRES seconds */
};

/* Decays a record to now. */
void usage_record_decay(struct usage_record *rec, int64_t half_life_ms, int64_t now_ms);

/* Adds to the record of that key, which is made if there is none, and notes it. */
void usage_record_add(struct act *act, const char *key, int64_t half_life_ms,
                      const struct usage_amounts *amounts);
