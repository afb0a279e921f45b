/*
 * period.h - hours, days and months of the calendar in the local time zone (TZ), by which usage is
 * summed.
 *
 * An hour begins whenever a clock on the wall shows a full one, a day at the first hour of its
 * date, a month at its first day: days consist of hours and months of days, however clocks are put
 * back or forward. Times are seconds since 1970, UTC. No clock is read.
 */
#pragma once

#include <stdint.h>

enum period { PERIOD_HOUR, PERIOD_DAY, PERIOD_MONTH, PERIODS_N };

#define PERIOD_LAST (INT64_C(1) << 40) /* none that is kept begins later */

/* Returns the beginning of the period in which the moment lies. */
int64_t period_start(enum period period, int64_t t);

/* Returns the beginning of the period after the one in which the moment lies. */
int64_t period_next(enum period period, int64_t t);

/* A run of periods of one length, from the beginning of one to that of another. */
struct period_run {
    enum period period;
    int64_t from, until;
};
#define PERIOD_RUNS_MAX (2 * PERIODS_N - 1)

/* Cuts the hours of [from, until) into as few periods as there may be, in order: hours, days,
 * months, days, hours. What does not begin or end at a full hour is widened to it. Returns how many
 * runs `ret` has then; none is empty. */
uint32_t period_cut(int64_t from, int64_t until, struct period_run ret[PERIOD_RUNS_MAX]);
