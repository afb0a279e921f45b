#include "common/rpc/channel.h"

#include <errno.h>
#include <event2/buffer.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

enum {
    READ_MIN = 16 << 10,   /* first buffer, and the least room to read into */
    READ_STEP = 128 << 10, /* how much it grows when reads fill it */
    WRITE_PARTS = 64,
    WRITE_FAIR = 2 << 20, /* bytes written before others have their turn */
};

void channel_init(struct channel *channel, int fd)
{
    *channel = (struct channel){ .fd = fd, .body_max = RPC_BODY_MAX };
    channel->out = evbuffer_new();
    if (!channel->out)
        abort();
}

void channel_clear(struct channel *channel)
{
    channel_close(channel);
    evbuffer_free(channel->out);
    record_key_free(channel->seal);
    record_key_free(channel->open);
    free(channel->in);
}

void channel_seal_with(struct channel *channel, const uint8_t key[CRYPT_KEY_N])
{
    record_key_free(channel->seal);
    channel->seal = record_key_new(key);
}

void channel_open_with(struct channel *channel, const uint8_t key[CRYPT_KEY_N])
{
    record_key_free(channel->open);
    channel->open = record_key_new(key);
}

/* ---- in ---- */

static void make_room(struct channel *channel)
{
    size_t left = channel->in_n - channel->in_at;

    if (channel->in_at > 0) {
        memmove(channel->in, channel->in + channel->in_at, left);
        channel->in_at = 0;
        channel->in_n = left;
    }
    if (channel->in_cap - left < READ_MIN) {
        channel->in_cap += channel->in_cap ? READ_STEP : READ_MIN;
        channel->in = xrealloc(channel->in, channel->in_cap);
    }
}

ssize_t channel_read(struct channel *channel)
{
    ssize_t n;

    make_room(channel);
    do
        n = recv(channel->fd, channel->in + channel->in_n, channel->in_cap - channel->in_n, 0);
    while (n < 0 && errno == EINTR);
    if (n < 0)
        return -errno;
    channel->in_n += (size_t)n;
    channel->got_bytes |= n > 0;
    return n;
}

int channel_next(struct channel *channel, struct rpc_frame *ret_frame, struct err *err)
{
    size_t left = channel->in_n - channel->in_at;
    uint8_t *at;
    int used;

    if (left == 0)
        return 0;
    at = channel->in + channel->in_at;
    used = channel->open ? record_open(channel->open, at, left, channel->body_max, ret_frame, err)
                         : rpc_frame_decode(at, left, channel->body_max, ret_frame, err);
    if (used <= 0)
        return used;
    channel->in_at += (size_t)used;
    return 1;
}

void channel_discard(struct channel *channel)
{
    channel->in_at = channel->in_n = 0;
}

/* ---- out ---- */

void channel_put(struct channel *channel, const struct rpc_frame *frame)
{
    size_t n = RPC_FRAME_HEADER + frame->body_n;
    size_t skip = channel->seal ? RECORD_HEADER : 0;
    struct evbuffer_iovec space;

    if (evbuffer_reserve_space(channel->out, (ssize_t)(n + RECORD_EXTRA), &space, 1) != 1)
        abort();

    uint8_t *at = (uint8_t *)space.iov_base + skip;

    rpc_frame_encode_header(frame, at);
    if (frame->body_n)
        memcpy(at + RPC_FRAME_HEADER, frame->body, frame->body_n);
    if (channel->seal)
        record_seal(channel->seal, space.iov_base, n);
    space.iov_len = channel->seal ? n + RECORD_EXTRA : n;
    evbuffer_commit_space(channel->out, &space, 1);
    channel->sent_bytes = true;
}

/*
 * Writes some bytes. evbuffer_write will not do, because a peer that is gone must not raise
 * SIGPIPE.
 */
static ssize_t write_some(struct channel *channel)
{
    struct evbuffer_iovec parts[WRITE_PARTS];
    int n = evbuffer_peek(channel->out, -1, NULL, parts, WRITE_PARTS);
    struct msghdr message = { .msg_iov = parts,
                              .msg_iovlen = (size_t)(n < WRITE_PARTS ? n : WRITE_PARTS) };
    ssize_t sent = sendmsg(channel->fd, &message, MSG_NOSIGNAL);

    if (sent < 0)
        return -errno;
    evbuffer_drain(channel->out, (size_t)sent);
    return sent;
}

int channel_flush(struct channel *channel)
{
    ssize_t total = 0;

    while (evbuffer_get_length(channel->out) > 0) {
        ssize_t sent = total < WRITE_FAIR ? write_some(channel) : -EAGAIN;

        if (sent < 0 && sent != -EINTR)
            return (int)sent;
        total += sent > 0 ? sent : 0;
    }
    return 0;
}

size_t channel_backlog(const struct channel *channel)
{
    return evbuffer_get_length(channel->out);
}

void channel_shut(struct channel *channel)
{
    shutdown(channel->fd, SHUT_WR);
}

void channel_close(struct channel *channel)
{
    if (channel->fd >= 0)
        close(channel->fd);
    channel->fd = -1;
}
