/* amount.h - amounts with units, as --units and --noconvert want them. Pure. */
#pragma once

#include <stdbool.h>

#include "common/base/strbuf.h"

/* How large numbers are written. */
struct amount_manner {
    char unit;  /* K M G T P; 0: the largest that says the amount exactly, or with one half */
    bool exact; /* without `unit`: as the amount is */
};

/* Appends `amount`, counted in `from`: 'B' or a unit. "0" and bytes are written without a unit. */
void amount_format(double amount, char from, const struct amount_manner *manner,
                   struct strbuf *out);

/* Appends bytes as megabytes with two digits when they are few, else as amount_format does. */
void amount_format_small(uint64_t bytes, const struct amount_manner *manner, struct strbuf *out);

/* Appends "00:05:07" or "1-02:03:04"; below an hour "05:07.250" when a second is not whole. */
void amount_format_cpu(uint64_t us, struct strbuf *out);
