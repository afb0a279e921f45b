/*
 * inflow.h - input from srun on its way to the tasks: each byte is kept once, however many tasks
 * read it, and counts as consumed when the last of them has it or no longer wants it. Pure.
 *
 * A task that does not read holds the others back once the window is full, as a terminal would.
 */
#pragma once

#include "common/msg/io.h"

struct inflow;

/* Makes an inflow for `readers` tasks, counted from 0; all want input until told otherwise. */
struct inflow *inflow_new(uint32_t readers);
struct inflow *inflow_free(struct inflow *flow); /* NULL is fine */

/*
 * Adds input for one reader, or for all (COUNT_UNSET); n 0 is its end. Fails with E_TOO_BIG when
 * srun sends beyond its window.
 */
int inflow_add(struct inflow *flow, uint32_t reader, const void *data, uint32_t n, struct err *err);

/* Gives what the reader should get next: *ret_n bytes, borrowed. Returns false when there is
 * nothing now. */
bool inflow_next(const struct inflow *flow, uint32_t reader, const void **ret_data,
                 uint32_t *ret_n);

/* Takes note that the reader took n bytes. */
void inflow_took(struct inflow *flow, uint32_t reader, uint32_t n);

/* Returns true if the reader got all there will ever be: its pipe is to be closed. */
bool inflow_is_at_end(const struct inflow *flow, uint32_t reader);

/* Drops a reader that wants no more: its pipe broke, or it ended. */
void inflow_leave(struct inflow *flow, uint32_t reader);

/* Returns how many bytes came since the beginning. */
uint64_t inflow_received(const struct inflow *flow);

/* Returns how many bytes all their readers are done with since the beginning. */
uint64_t inflow_consumed(const struct inflow *flow);
