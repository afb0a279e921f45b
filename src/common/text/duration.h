/*
 * duration.h - lengths of time, as people write time limits and as Slurm prints them. Pure.
 */
#pragma once

#include <stdint.h>

#include "common/base/err.h"
#include "common/base/strbuf.h"

/* No limit; the number that messages carry for it. It is below every length, so ask for it first.
 */
#define DURATION_INFINITE INT64_C(-1)

/* The longest limit that can be written: 100,000 days. */
#define DURATION_MAX_S (INT64_C(100000) * 86400)

/*
 * "M", "M:S", "H:M:S", "D-H", "D-H:M", "D-H:M:S"; fields may be larger than a clock shows.
 * "INFINITE", "UNLIMITED" in any case, and "-1" give DURATION_INFINITE. That 0 as --time asks for
 * no limit is the caller's knowledge.
 */
int duration_parse(const char *text, int64_t *ret_s, struct err *err);

/* A whole number of seconds, or the words for no limit: what --wait, KillWait and others take. */
int duration_parse_seconds(const char *text, int64_t *ret_s, struct err *err);

/* Time limits are counted in minutes, a begun one as a whole one. Of a length that is known. */
int64_t duration_minutes(int64_t s);

/* Up to the next full minute; DURATION_INFINITE stays. */
int64_t duration_round_up(int64_t s);

/*
 * "00:05:00", "1-02:03:04", "UNLIMITED", as scontrol and sacct print. Other lengths below zero are
 * "INVALID"; a length that was measured and may be -1 is made 0 by the caller.
 */
void duration_format(struct strbuf *out, int64_t s);

/* "0:07", "5:00", "1:00:00", "1-00:00:00", "UNLIMITED", "INVALID". As squeue and sinfo print. */
void duration_format_short(struct strbuf *out, int64_t s);
