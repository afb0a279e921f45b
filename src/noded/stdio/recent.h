/*
 * recent.h - the last of what tasks printed, for who attaches later. Pure.
 *
 * Whole pieces as they were read, at most RECENT_BYTES and RECENT_PIECES of them.
 */
#pragma once

#include "common/msg/io.h"

#define RECENT_BYTES  (64u << 10)
#define RECENT_PIECES 128u

struct recent;

struct recent *recent_new(void);
struct recent *recent_free(struct recent *recent); /* NULL is fine */

void recent_add(struct recent *recent, uint32_t task, uint32_t stream, const void *data,
                uint32_t n);

/* Calls `fn` for each piece, oldest first. */
typedef void recent_fn(void *ctx, uint32_t task, uint32_t stream, const void *data, uint32_t n);
void recent_each(const struct recent *recent, recent_fn *fn, void *ctx);
