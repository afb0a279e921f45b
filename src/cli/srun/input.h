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
 * `fd` is borrowed. There is something for the nodes: call input_next for each until it is false.
 */
struct input *input_new(struct event_base *base, int fd, void on_input(void *ctx), void *ctx);
struct input *input_free(struct input *input);

/* Who gets the input; nothing is read before. */
void input_set_readers(struct input *input, uint32_t n);

/*
 * The next bytes for the reader, borrowed until the next call of any function; n of 0 is the end,
 * given once for each connection. They count as sent.
 */
bool input_next(struct input *input, uint32_t reader, const void **ret_data, uint32_t *ret_n);

/* The reader has consumed so many bytes since the beginning. Lower numbers than before are old. */
void input_consumed(struct input *input, uint32_t reader, uint64_t total);

/* A new connection, and so many bytes have come before it: the rest is sent again. */
void input_rewind(struct input *input, uint32_t reader, uint64_t total);

/* It wants no more. */
void input_leave(struct input *input, uint32_t reader);

/* After SIGCONT: perhaps srun is in the foreground now. */
void input_try_again(struct input *input);
