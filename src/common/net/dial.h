/* dial.h - opens connections. */
#pragma once

#include "common/net/addr.h"

struct event_base;

/*
 * Tries the addresses in order until one answers; each gets an equal share of the time that is
 * left. `fn` runs once, from the loop and never from inside the call; `fd` (non-blocking,
 * close-on-exec, TCP_NODELAY) is then its owner's, `addr` is where it leads. On failure fd is -1
 * and the error names every address and what happened there. The handle is gone when `fn` runs;
 * cancelling before that makes it never run.
 */
struct net_dial_call;
typedef void net_dialed_fn(void *arg, int fd, const struct net_addr *addr, const struct err *err);

struct net_dial_call *net_dial_async(struct event_base *base, const struct net_addrs *addrs,
                                     int timeout_ms, net_dialed_fn *fn, void *arg);

/* Cancels a call; NULL is fine. Returns NULL. */
struct net_dial_call *net_dial_cancel(struct net_dial_call *call);

/*
 * Connects to a Unix socket at once. Fails with EAGAIN when its queue is full and another try may
 * succeed soon, and with ENOENT or ECONNREFUSED when nobody serves it.
 */
int net_dial_unix(const char *path, int *ret_fd, struct err *err);

/*
 * Connects to a socket of net_listen_abstract. Anybody may take such a name: fails with EACCES when
 * the socket belongs to another uid than this process's.
 */
int net_dial_abstract(const char *name, int *ret_fd, struct err *err);
