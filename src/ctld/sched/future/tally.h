/*
 * tally.h - how much of one thing is taken, from now to the end of time.
 *
 * A tally is for what the cluster has as a whole, such as a licence. Jobs take amounts and give
 * them back; callers look for a moment from which on enough is left. For a ramp, a job takes its
 * amount times what is left of its time, so what is taken only rises where a job begins. Owns its
 * steps.
 */
#pragma once

#include <stdbool.h>
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

/* Take an amount, or give it back, from `from` up to but not including `to`. More may be taken than
 * there is. */
void tally_take(struct tally *tally, int64_t from, int64_t to, uint64_t amount);
void tally_give(struct tally *tally, int64_t from, int64_t to, uint64_t amount);

/* Returns the first moment, not before `from`, from which on for `length` this amount is left, or
 * FUTURE_END. */
int64_t tally_ready(const struct tally *tally, int64_t from, int64_t length, uint64_t amount);

/* Returns whether that moment is `from`, which takes no look at what comes behind the first lack.
 */
bool tally_is_ready(const struct tally *tally, int64_t from, int64_t length, uint64_t amount);

/* Returns until when, from `from` on, this amount is left. */
int64_t tally_until(const struct tally *tally, int64_t from, uint64_t amount);

/* Return what is taken at the moment, and the most that is taken at any moment of [from, to). */
uint64_t tally_taken(const struct tally *tally, int64_t at);
uint64_t tally_most(const struct tally *tally, int64_t from, int64_t to);

/* Returns the first moment after `at` at which another amount is taken, or `to`, if that comes
 * first. */
int64_t tally_change_after(const struct tally *tally, int64_t at, int64_t to);

/* ---- ramps ---- */

/* Nothing of a ramp is taken later than this, so that no sum overflows. */
#define RAMP_END        (INT64_C(1) << 50)
#define RAMP_AMOUNT_MAX (UINT64_C(1) << 48) /* no job takes more of a ramp */

void tally_take_ramp(struct tally *tally, int64_t from, int64_t to, uint64_t amount);
void tally_give_ramp(struct tally *tally, int64_t from, int64_t to, uint64_t amount);

/* Returns the first moment, not before `from`, at which a job may begin that takes this amount of
 * the ramp for `length`, so that never more is taken than there is; FUTURE_END: never. */
int64_t tally_ramp_ready(const struct tally *tally, int64_t from, int64_t length, uint64_t amount);
bool tally_ramp_is_ready(const struct tally *tally, int64_t from, int64_t length, uint64_t amount);

/* Returns until when a job that begins at `from` may take this amount of the ramp; `from` itself:
 * not at all. */
int64_t tally_ramp_until(const struct tally *tally, int64_t from, uint64_t amount);

/* Returns until when a job that may begin at `from` may still begin; FUTURE_END: for ever. */
int64_t tally_ramp_closes(const struct tally *tally, int64_t from, int64_t length, uint64_t amount);

/* Returns the first moment at which an area of `ends` - `taken` * t has come down to `most`. */
int64_t tally_ramp_falls(uint64_t taken, tally_area ends, tally_area most);
tally_area tally_ramp_total(const struct tally *tally);
