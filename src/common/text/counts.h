/* counts.h - "2(x3),1": how Slurm writes one count for each of several nodes. */
#pragma once

#include <stdint.h>

#include "common/base/strbuf.h"

/* Appends the counts to `out`. */
void counts_format(const uint32_t *counts, uint32_t n, struct strbuf *out);
