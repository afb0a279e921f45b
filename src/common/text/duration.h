/*
 * duration.h - lengths of time, as people write time limits and as Slurm prints them. Pure.
 */
#pragma once

#include <stdint.h>

#include "common/base/err.h"
#include "common/base/strbuf.h"

/* No limit, as messages carry it. The number is below every length, so it must be tested first. */
#define DURATION_INFINITE INT64_C(-1)

/* The longest limit that can be written: 100,000 days. */
#define DURATION_MAX_S (INT64_C(100000) * 86400)

/*
 * Reads "M", "M:S", "H:M:S", "D-H", "D-H:M" or "D-H:M:S"; fields may be larger than a clock shows.
 * "INFINITE", "UNLIMITED" in any case, and "-1" give DURATION_INFINITE. The caller has to know that
 * 0 as --time asks for no limit.
 */
int duration_parse(const char *text, int64_t *ret_s, struct err *err);

/*
 * Reads a whole number of seconds, or the words for no limit, as --wait, KillWait and others take.
 */
int duration_parse_seconds(const char *text, int64_t *ret_s, struct err *err);

/*
 * Returns a length in minutes, where a begun minute counts as a whole one. `s` must not be
 * DURATION_INFINITE.
 */
int64_t duration_minutes(int64_t s);

/* Rounds a length up to the next full minute; DURATION_INFINITE stays. */
int64_t duration_round_up(int64_t s);

/*
 * Appends "00:05:00", "1-02:03:04" or "UNLIMITED", as scontrol and sacct print lengths. Other
 * lengths below zero give "INVALID"; a caller whose measured length may be -1 makes it 0 first.
 */
void duration_format(struct strbuf *out, int64_t s);

/*
 * Appends "0:07", "5:00", "1:00:00", "1-00:00:00", "UNLIMITED" or "INVALID", as squeue and sinfo
 * print.
 */
void duration_format_short(struct strbuf *out, int64_t s);
