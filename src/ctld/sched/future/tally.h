/*
 * tally.h - how much of one thing is taken, from now to the end of time.
 *
 * For what the cluster has as a whole: a licence. Jobs take and give back amounts; a moment is
 * looked for from which on enough is left. Of a ramp what is taken at a moment is the amount times
 * what is left of the job's time: it only rises where a job begins. Owns its steps.
 */
#pragma once

#include <stdint.h>

#include "common/base/alloc.h"

__extension__ typedef __int128 tally_area; /* amounts times milliseconds */

struct tally_step {
    int64_t from; /* up to the next one's */
    uint64_t taken;
    tally_area ends; /* of a ramp: the sum of each amount times the moment at which it ends */
};

struct tally {
    uint64_t total; /* of a ramp: in amounts times seconds */
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

/* What is taken at the moment, and the most that is during [from, to). */
uint64_t tally_taken(const struct tally *tally, int64_t at);
uint64_t tally_most(const struct tally *tally, int64_t from, int64_t to);

/* The first moment after `at` at which something else is taken, or `to`, if that comes first. */
int64_t tally_change_after(const struct tally *tally, int64_t at, int64_t to);

/* ---- ramps ---- */

/* Nothing of a ramp is taken later than this: so no sum overflows. */
#define RAMP_END        (INT64_C(1) << 50)
#define RAMP_AMOUNT_MAX (UINT64_C(1) << 48) /* nor is more than this */

void tally_take_ramp(struct tally *tally, int64_t from, int64_t to, uint64_t amount);
void tally_give_ramp(struct tally *tally, int64_t from, int64_t to, uint64_t amount);

/* The first moment, not before `from`, at which a job that takes this much of the ramp for `length`
 * may begin, so that never more is taken than there is; FUTURE_END: never. */
int64_t tally_ramp_ready(const struct tally *tally, int64_t from, int64_t length, uint64_t amount);

/* How long a job that begins at `from` may take this much of the ramp; `from` itself: not at all.
 */
int64_t tally_ramp_until(const struct tally *tally, int64_t from, uint64_t amount);

/* When it may begin at `from`: until when that is so; FUTURE_END: for ever. */
int64_t tally_ramp_closes(const struct tally *tally, int64_t from, int64_t length, uint64_t amount);

/* The first moment at which an area that is `ends` - `taken` * t has come down to `most`. */
int64_t tally_ramp_falls(uint64_t taken, tally_area ends, tally_area most);
tally_area tally_ramp_total(const struct tally *tally);
