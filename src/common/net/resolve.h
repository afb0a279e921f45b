/*
 * resolve.h - from host names to addresses, with a deadline, never blocking a loop.
 *
 * The name service runs in a thread of its own; one that comes too late ends by itself, and its
 * answer is dropped. A literal address is answered without a thread. Failures name the host:
 * ENOENT  no such host       ETIMEDOUT  no answer in time       EIO  anything else
 */
#pragma once

#include "common/net/addr.h"

struct event_base;

/*
 * Looks a host up, blocking up to timeout_ms. *ret_addrs is in the order to try; release it with
 * net_addrs_clear.
 */
int net_resolve(const char *host, uint16_t port, int timeout_ms, struct net_addrs *ret_addrs,
                struct err *err);

/*
 * Takes the result of a lookup. It runs once, from the loop and never from inside the call. Its
 * arguments are borrowed, and `addrs` is NULL on failure. The handle is gone when it runs;
 * cancelling before that makes it never run.
 */
struct net_resolve_call;
typedef void net_resolved_fn(void *arg, int rc, const struct net_addrs *addrs,
                             const struct err *err);

struct net_resolve_call *net_resolve_async(struct event_base *base, const char *host, uint16_t port,
                                           int timeout_ms, net_resolved_fn *fn, void *arg);

/* Cancels a call; NULL is fine. Returns NULL. */
struct net_resolve_call *net_resolve_cancel(struct net_resolve_call *call);
