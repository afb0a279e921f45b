/*
 * units.h - amounts of time as reports show them: in a unit, as a part of all there is, or both.
 */
#pragma once

#include <stdbool.h>

#include "common/base/strbuf.h"

enum unit {
    UNIT_SECONDS,
    UNIT_MINUTES,
    UNIT_HOURS,
    UNIT_PERCENT,
    UNIT_SECONDS_PERCENT,
    UNIT_MINUTES_PERCENT,
    UNIT_HOURS_PERCENT,
};

/* Returns the unit that a word means, also cut short, or -1. */
int unit_find(const char *word);

/* Returns how a title calls it: "Minutes", "Seconds/Percentage of Total". */
const char *unit_name(enum unit unit);

/* Returns whether the unit says a part of all there is. */
bool unit_has_percent(enum unit unit);

/* Appends an amount of TRES seconds out of `whole`. */
void unit_format(enum unit unit, uint64_t seconds, uint64_t whole, struct strbuf *out);

/* Returns the width of a column whose amounts have at most so many digits as seconds; `least` is
 * what it has anyway. */
uint32_t unit_width(enum unit unit, uint32_t least, uint32_t digits);

void unit_format_percent(uint64_t part, uint64_t whole, struct strbuf *out);
