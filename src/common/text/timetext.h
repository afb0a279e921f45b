/*
 * timetext.h - moments: what people write for --begin or --starttime, and what Slurm prints.
 *
 * Times are seconds since 1970, UTC; text is in the local time zone (TZ). No clock is read: `now`
 * comes from the caller. 0 stands for "not known" and is never the result of a parse.
 */
#pragma once

#include <stdint.h>

#include "common/base/err.h"
#include "common/base/strbuf.h"

/* The end of the year 9999, UTC. */
#define TIME_MAX INT64_C(253402300799)

/*
 * A date, a time of day, or both in any order, divided by blanks, 'T' or '-':
 *   dates    YYYY-MM-DD  MMDD[YY]  M/D[/YY]  M.D[.YY]  today  tomorrow
 *   times    H:MM[:SS] [AM|PM]  midnight  noon  elevenses  fika  teatime
 * or alone:  now  now+COUNT[second(s)|minute(s)|hour(s)|day(s)|week(s)]  now-...  utsSECONDS
 *
 * What is left open is filled to the next such moment: a time of day that is over is tomorrow's, a
 * date without year that is over is next year's. A date alone begins at 00:00:00. 1970-01-01, with
 * which programs ask "since ever", is the first second that has a number here.
 */
int time_parse(const char *text, int64_t now, int64_t *ret_time, struct err *err);

/*
 * Reads a time for questions about the past: a time of day is today's, a later month last year's.
 * Fails as time_parse does.
 */
int time_parse_past(const char *text, int64_t now, int64_t *ret_time, struct err *err);

/*
 * Appends a time in the manner that SLURM_TIME_FORMAT names: "standard" (as NULL and "":
 * 2026-11-20T20:11:09), "relative" to now, or a strftime text. A time of 0 is printed as `unset`
 * ("Unknown", "N/A").
 */
void time_format(struct strbuf *out, int64_t t, const char *manner, int64_t now, const char *unset);

/*
 * Fails for a manner that time_format would print as standard, so that a command can say so once.
 */
int time_format_check(const char *manner, struct err *err);
