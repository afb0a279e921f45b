/*
 * outflow.h - output on its way to srun: in order, bounded, and kept until srun has consumed it, so
 * that a broken connection loses and repeats nothing. Pure.
 *
 * Bytes of all streams count together, as in io.h. An end of stream takes no bytes: after a redial
 * the ends at the very place where srun stands are sent again, which is harmless.
 */
#pragma once

#include "common/msg/io.h"

struct outflow_frame {
    uint32_t task; /* COUNT_UNSET: of the step itself */
    uint32_t stream;
    const uint8_t *data;
    uint32_t n; /* 0: end of the stream */
};

struct outflow;

struct outflow *outflow_new(void);
struct outflow *outflow_free(struct outflow *flow); /* NULL is fine */

/* Returns how many bytes may be read from the tasks now. */
uint32_t outflow_room(const struct outflow *flow);

/* Adds a copy of the frame; any size goes in, as it was read from a task already. */
void outflow_add(struct outflow *flow, const struct outflow_frame *frame);

/* Takes the next frame to send, borrowed, which then counts as sent; returns false when there is
 * none. */
bool outflow_next(struct outflow *flow, struct outflow_frame *ret_frame);

/* Notes that srun has consumed `total` bytes since the beginning. Fails with -E_PROTO when it
 * cannot have. */
int outflow_credit(struct outflow *flow, uint64_t total, struct err *err);

/* Takes, on a new connection, how much srun has consumed in all; what is left counts as not
 * sent. */
int outflow_rewind(struct outflow *flow, uint64_t total, struct err *err);

/* Returns the bytes consumed so far, for credits that only tell how many more. */
uint64_t outflow_consumed(const struct outflow *flow);

/* Returns true if srun has consumed all. */
bool outflow_is_done(const struct outflow *flow);
