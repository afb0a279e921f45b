/*
 * tally.h - how much of one thing is taken, from now to the end of time.
 *
 * For what the cluster has as a whole: a licence. Jobs take and give back amounts; a moment is
 * looked for from which on enough is left. Owns its steps.
 */
#pragma once

#include <stdint.h>

#include "common/base/alloc.h"

struct tally_step {
    int64_t from; /* up to the next one's */
    uint64_t taken;
};

struct tally {
    uint64_t total;
    struct tally_step *steps;
    uint32_t n, room;
};

void tally_init(struct tally *tally, uint64_t total);
void tally_clear(struct tally *tally);
void tally_reset(struct tally *tally); /* nothing is taken */

/* From `from` up to but not including `to`. More may be taken than there is. */
void tally_take(struct tally *tally, int64_t from, int64_t to, uint64_t amount);
void tally_give(struct tally *tally, int64_t from, int64_t to, uint64_t amount);

/* The first moment, not before `from`, from which on for `length` this much is left; FUTURE_END:
 * never. */
int64_t tally_ready(const struct tally *tally, int64_t from, int64_t length, uint64_t amount);

/* Until when, from `from` on, this much is left. */
int64_t tally_until(const struct tally *tally, int64_t from, uint64_t amount);
