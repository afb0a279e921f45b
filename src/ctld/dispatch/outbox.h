/*
 * outbox.h - frames that wait until the turn they speak of is on disk.
 *
 * The frames of a connection leave in the order they came, but for those that wait for no turn;
 * nodes get theirs first, as they have work to do while others are told. A connection that closes
 * takes its frames with it.
 */
#pragma once

#include "common/base/strbuf.h"

struct conn;
struct outbox;

struct outbox *outbox_new(void);
struct outbox *outbox_free(struct outbox *outbox);

#define OUTBOX_AT_ONCE 0 /* a turn that has always been committed */

/* Adds a frame for `conn` that may go when `turn` is committed. The body is taken over. */
void outbox_add(struct outbox *outbox, uint64_t turn, struct conn *conn, uint32_t type,
                uint32_t request, uint32_t flags, struct strbuf *body);

/* Sends what waits for turns up to `committed`. */
void outbox_release(struct outbox *outbox, uint64_t committed);

/* Appends what waits, by message type, to *counts, which is the caller's. */
struct rpc_count;
void outbox_count(const struct outbox *outbox, struct rpc_count **counts, uint32_t *n);

void outbox_forget(struct outbox *outbox, const struct conn *conn);

/* Drops what waits of the answer to this request. */
void outbox_forget_request(struct outbox *outbox, struct conn *conn, uint32_t request);
