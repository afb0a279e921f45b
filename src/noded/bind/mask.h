/* mask.h - cpu masks as text: "0x30", of any length. Pure. */
#pragma once

#include "common/base/bitset.h"
#include "common/base/strbuf.h"

/* Appends the mask with a digit for each four possible members and capital letters: "0x0C00". */
void mask_format_wide(const struct bitset *mask, struct strbuf *out);

/* Appends the mask without leading zeros, in small letters and without "0x": "c00". */
void mask_format(const struct bitset *mask, struct strbuf *out);

/* Reads hexadecimal digits only and adds to `ret`, which is sized; returns false when a member is
 * beyond its size. */
bool mask_parse(const char *digits, size_t n, struct bitset *ret);
