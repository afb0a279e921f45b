/*
 * size.h - amounts of memory and disk, counted in megabytes as Slurm does (1 G is 1024 M). Pure.
 */
#pragma once

#include <stdint.h>

#include "common/base/err.h"
#include "common/base/strbuf.h"

/* The largest amount that can be written: 2^40 MB. */
#define SIZE_MB_MAX (UINT64_C(1) << 40)

/*
 * Reads "4000", "4000M", "4G", "1TB" or "12k" (rounded up to the next megabyte), in any case. Signs
 * and blanks are refused.
 */
int size_parse_mb(const char *text, uint64_t *ret_mb, struct err *err);

/*
 * Appends the amount in the largest unit that says it exactly: "4000M", "4G", "1T". "0" alone has
 * no unit.
 */
void size_format_mb(struct strbuf *out, uint64_t mb);
