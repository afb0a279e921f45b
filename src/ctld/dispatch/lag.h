/*
 * lag.h - who looks is answered although the disk takes nothing: it is full, or it stands still.
 *
 * An answer waits for the newest turn, as it may tell of what that turn changed. Where turns have
 * waited for LAG_MS without one being committed, the store lags: the state as it is on disk is read
 * back (snapshot.h), and answers are made of that, those that already wait, too, unless their
 * reader has begun to get them. When the store goes on, they are made of what is in memory again.
 */
#pragma once

#include <event2/util.h>

#include "ctld/dispatch/conn.h"

#define LAG_MS 300

struct lag *lag_new(struct ctld *ctld);
struct lag *lag_free(struct lag *lag); /* after the store's end; NULL is fine */

/* True if turns wait for too long. Nothing is started then, as nobody would be told. */
bool lag_is_on(const struct lag *lag);

/* Notes that a turn was handed to the store. */
void lag_note_turn(struct lag *lag);

/* Handles ctld->lag_event: turns have waited for LAG_MS. */
void lag_on_late(evutil_socket_t fd, short what, void *lag);

/* Notes that turns up to this one are on disk, before anybody is told. */
void lag_note_committed(struct lag *lag, uint64_t committed);

/* Serves, when the store has news, what waited for a snapshot that is not needed any more. */
void lag_go_on(struct lag *lag);

/* Prepares a request that looks for being served now: `request` is given what it looks at. False:
 * it is served when the snapshot is there. The frame is copied. */
bool lag_begin_look(struct request *request, const struct rpc_frame *frame);

/* Notes that a frame of an answer has left the outbox. */
void lag_note_sent(struct conn *conn, uint32_t request, uint32_t flags);

void lag_drop_conn(struct conn *conn);
