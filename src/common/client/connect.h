/*
 * connect.h - finding the controller: its Unix socket first, then each host in order, again and
 * again while there is patience. Inside common/client.
 */
#pragma once

#include "common/client/client.h"

struct connect_call;

/*
 * `fn` runs once, from the loop and never from inside the call. It gets a session that is ready and
 * now its own, or NULL and an error: E_CONTACT that tells of every way that was tried last, or
 * E_TIMEOUT when somebody was there and had no time. The handle is gone when `fn` runs; cancelling
 * before that makes it never run. `options` is borrowed until then.
 */
typedef void connected_fn(void *arg, struct rpc_session *session, const struct err *err);
struct connect_call *connect_start(struct event_base *base, const struct client_options *options,
                                   int patience_ms, connected_fn *fn, void *arg);

/* Cancels a call; NULL is fine. Returns NULL. */
struct connect_call *connect_cancel(struct connect_call *call);
