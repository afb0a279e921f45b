/*
 * sink.h - bytes on their way into one of srun's descriptors, which may be as slow as its reader.
 *
 * Never blocks on a pipe, terminal or socket, and never changes the mode of a descriptor that
 * others share. What was written is told, piece by piece in order, so that its sender can be given
 * room for more. When nobody reads any more, everything counts as written.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/base/err.h"

struct event_base;
struct sink;

struct sink_callbacks {
    /* Called when `credit` bytes of `source`, as given to sink_add, are written. */
    void (*on_written)(uint32_t source, uint32_t credit, void *ctx);
    /* Called once when writing failed: EPIPE, ENOSPC ... */
    void (*on_broken)(const struct err *why, void *ctx);
};

/* Makes a sink; sink_free closes `fd` only when it is `owned`. `name` is for errors, borrowed. */
struct sink *sink_new(struct event_base *base, int fd, bool owned, const char *name,
                      const struct sink_callbacks *callbacks, void *ctx);
struct sink *sink_free(struct sink *sink);

/* Adds a copy of the bytes. n of 0 with a credit is fine. */
void sink_add(struct sink *sink, const void *data, uint32_t n, uint32_t source, uint32_t credit);

/* Returns the number of bytes not written yet. */
uint64_t sink_backlog(const struct sink *sink);
