/*
 * channel.h - frames in and out of a connected socket, in the clear or sealed. Inside common/rpc.
 *
 * Knows nothing of what frames mean, nor of loops: its session says when to read and write. Owns
 * the descriptor, the buffers and the keys.
 */
#pragma once

#include "common/rpc/record.h"

struct evbuffer;

struct channel {
    int fd; /* -1 once closed */
    uint8_t *in;
    size_t in_at, in_n, in_cap; /* bytes in_at .. in_n of `in` are not read yet */
    struct evbuffer *out;
    struct record_key *seal, *open; /* NULL: in the clear */
    uint32_t body_max;              /* longest body that is taken now */
    bool got_bytes, sent_bytes;     /* since whoever counts set them false */
};

void channel_init(struct channel *channel, int fd);
void channel_clear(struct channel *channel);

/* Set the keys that hold from the next frame on. */
void channel_seal_with(struct channel *channel, const uint8_t key[CRYPT_KEY_N]);
void channel_open_with(struct channel *channel, const uint8_t key[CRYPT_KEY_N]);

/*
 * Reads what is there. Returns the number of bytes, 0 at the end, -EAGAIN, or another errno,
 * negative.
 */
ssize_t channel_read(struct channel *channel);

/* Returns 1 and a frame (valid until the next read), or 0 when more bytes are needed. */
int channel_next(struct channel *channel, struct rpc_frame *ret_frame, struct err *err);

/* Drops all bytes that were read. */
void channel_discard(struct channel *channel);

void channel_put(struct channel *channel, const struct rpc_frame *frame);

/*
 * Writes what the kernel takes, up to a bound that is fair to others. Returns 0, -EAGAIN, or
 * another errno, negative.
 */
int channel_flush(struct channel *channel);
size_t channel_backlog(const struct channel *channel);

/* Ends the sending direction; the peer sees the end after all that was written. */
void channel_shut(struct channel *channel);
void channel_close(struct channel *channel);
