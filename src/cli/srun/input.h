/*
 * input.h - srun's standard input on its way to the nodes, each byte kept until the last node that
 * wants it has consumed it.
 *
 * Reads only while every node has room, so what is kept is bounded by the window of io.h. A
 * terminal is left alone while srun is in the background.
 */
#pragma once

#include "common/msg/io.h"

struct event_base;
struct input;

/*
 * Makes an input that borrows `fd`. `on_input` tells that there is something for the nodes: call
 * input_next for each until it returns false.
 */
struct input *input_new(struct event_base *base, int fd, void on_input(void *ctx), void *ctx);
struct input *input_free(struct input *input);

/* Sets how many nodes get the input; nothing is read before. */
void input_set_readers(struct input *input, uint32_t n);

/*
 * Gives the next bytes for the reader, borrowed until the next call of any function, and counts
 * them as sent; n of 0 is the end, given once for each connection.
 */
bool input_next(struct input *input, uint32_t reader, const void **ret_data, uint32_t *ret_n);

/*
 * Notes how many bytes the reader has consumed since the beginning. Lower totals than before are
 * ignored as old.
 */
void input_consumed(struct input *input, uint32_t reader, uint64_t total);

/*
 * Notes that the reader has a new connection and got `total` bytes before it: the rest is sent
 * again.
 */
void input_rewind(struct input *input, uint32_t reader, uint64_t total);

/* Notes that the reader wants no more. */
void input_leave(struct input *input, uint32_t reader);

/* Looks after SIGCONT whether srun is in the foreground now, so that it can read. */
void input_try_again(struct input *input);
