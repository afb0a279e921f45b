/*
 * channel.h - packets of verbs.h over a Unix socket (SOCK_SEQPACKET), with descriptors.
 *
 * Never blocks: what the kernel does not take is queued, up to a limit, and goes out by
 * priv_channel_flush when the socket is writable. Owns its descriptor and what is queued.
 */
#pragma once

#include "noded/priv/verbs.h"

#define PRIV_QUEUE_MAX (64u << 20) /* bytes; a receiver that leaves more unread is given up */

struct priv_channel;

/* Makes two connected ends; non-blocking and close-on-exec. */
int priv_socketpair(int ret_fds[2], struct err *err);

struct priv_channel *priv_channel_new(int fd);
struct priv_channel *priv_channel_free(struct priv_channel *channel); /* NULL is fine */
int priv_channel_fd(const struct priv_channel *channel);

/*
 * Sends a packet; bytes and descriptors are copied (the latter by dup). Fails with E_CLOSED when
 * the other side is gone, E_TOO_BIG when it does not read.
 */
int priv_send(struct priv_channel *channel, const struct priv_msg *msg, struct err *err);

/* Sends what is queued, as far as possible. */
int priv_channel_flush(struct priv_channel *channel, struct err *err);
bool priv_channel_wants_write(const struct priv_channel *channel);

/*
 * Receives one packet that `side` may get. Returns 1 with *ret_msg, whose bytes are valid until the
 * next call and whose descriptors are the caller's; 0 when there is none now; -E_CLOSED at the end;
 * -E_PROTO and -E_TOO_BIG for what no honest sender sends.
 */
int priv_receive(struct priv_channel *channel, unsigned side, struct priv_msg *ret_msg,
                 struct err *err);

/* Closes the descriptors that are still there. */
void priv_msg_close(struct priv_msg *msg);
