/*
 * server.h - accepts connections, sees them through their handshake, hands on those that are ready.
 *
 * Owns the sessions that are not ready yet. Each listening socket has places of its own for
 * handshakes under way, shared out by common/net/gate.h: neither a flood on another socket nor one
 * of another peer shuts anybody out.
 */
#pragma once

#include "common/rpc/session.h"

struct rpc_server;

struct rpc_server_callbacks {
    /*
     * Hands over a session. The receiver calls rpc_session_set_callbacks now, and frees the session
     * when it has closed.
     */
    void (*on_session)(struct rpc_session *session, void *ctx);
    /* Tells the log that a handshake failed, a peer gave way, or accepting failed. */
    void (*on_refused)(const struct err *why, void *ctx);
};

/* Makes a server; options and callbacks are copied. handshakes_max is that of net_gate_new. */
struct rpc_server *rpc_server_new(struct event_base *base, const struct rpc_options *options,
                                  uint32_t handshakes_max,
                                  const struct rpc_server_callbacks *callbacks, void *ctx);

/* Accepts on a listening socket. The descriptor stays the caller's and must outlive the server. */
void rpc_server_listen(struct rpc_server *server, int fd);

/* Ends handshakes under way; sessions that were handed over go on. NULL is fine. Returns NULL. */
struct rpc_server *rpc_server_free(struct rpc_server *server);
