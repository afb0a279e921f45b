/*
 * listen.h - sockets that wait for connections; close-on-exec and non-blocking.
 */
#pragma once

#include <sys/types.h>

#include "common/net/addr.h"

/*
 * Opens a TCP socket on `host` (a literal address; NULL is every address, IPv6 included when the
 * kernel has it) and `port` (0 picks a free one). *ret_port (ret_port may be NULL) is the port in
 * use.
 */
int net_listen_tcp(const char *host, uint16_t port, int *ret_fd, uint16_t *ret_port,
                   struct err *err);

/*
 * Opens a Unix socket without a file, which only this host's network namespace knows. Anybody there
 * may connect, and see the name. Fails with EADDRINUSE when the name is taken.
 */
int net_listen_abstract(const char *name, int *ret_fd, struct err *err);

/*
 * A listening Unix socket. A lock file beside it (PATH.lock, held as long as the listener lives)
 * tells a socket in use, which is refused with EADDRINUSE, from one that a dead process left, which
 * is replaced. Owns fd and lock.
 */
struct net_unix_listener;

int net_listen_unix(const char *path, mode_t mode, struct net_unix_listener **ret, struct err *err);
int net_unix_listener_fd(const struct net_unix_listener *listener);

/* Closes the socket, and removes socket and lock file. NULL is fine. Returns NULL. */
struct net_unix_listener *net_unix_listener_free(struct net_unix_listener *listener);

/* Closes the socket without removing files, in a child that inherited it. Returns NULL. */
struct net_unix_listener *net_unix_listener_drop(struct net_unix_listener *listener);
