/*
 * clock.h - the clock that a role takes from its context, so that tests can skew it.
 */
#pragma once

#include <stdint.h>

struct clock {
    int64_t skew_s; /* added to wall time; tests and SLUICE_CLOCK_SKEW only */
};

/* Returns the real clock, skewed by SLUICE_CLOCK_SKEW seconds when that is set. */
struct clock clock_from_env(void);

int64_t clock_wall_s(const struct clock *clock);  /* seconds since 1970, UTC */
int64_t clock_wall_ms(const struct clock *clock); /* milliseconds since 1970, UTC */
uint64_t clock_mono_us(void); /* monotonic, for measuring how long something took */
int64_t clock_mono_ms(void);  /* monotonic, since boot, counting suspend */
