/*
 * server.h - accepts connections, sees them through their handshake, hands on those that are ready.
 *
 * Owns the sessions that are not ready yet. Each listening socket has its own cap of handshakes
 * under way: when it is reached, further connections wait in the kernel's queue, so a flood on one
 * socket does not shut out the other.
 */
#pragma once

#include "common/rpc/session.h"

#define RPC_HANDSHAKES_MAX 64u

struct rpc_server;

struct rpc_server_callbacks {
    /* The session is yours: rpc_session_set_callbacks now, free it when it closed. */
    void (*on_session)(struct rpc_session *session, void *ctx);
    /* A handshake failed, or accepting did (then every some seconds at most). For the log. */
    void (*on_refused)(const struct err *why, void *ctx);
};

/* Options and callbacks are copied. handshakes_max 0: RPC_HANDSHAKES_MAX. */
struct rpc_server *rpc_server_new(struct event_base *base, const struct rpc_options *options,
                                  uint32_t handshakes_max,
                                  const struct rpc_server_callbacks *callbacks, void *ctx);

/* Accepts on a listening socket. The descriptor stays its owner's and must outlive the server. */
void rpc_server_listen(struct rpc_server *server, int fd);

/* Ends handshakes under way; sessions handed on are not touched. NULL is fine. Returns NULL. */
struct rpc_server *rpc_server_free(struct rpc_server *server);
