/*
 * counts.h - "2(x3),1": how Slurm writes a count of each of several nodes.
 */
#pragma once

#include <stdint.h>

#include "common/base/strbuf.h"

/* Appends. */
void counts_format(const uint32_t *counts, uint32_t n, struct strbuf *out);
