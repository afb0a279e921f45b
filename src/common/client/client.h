/*
 * client.h - how a command talks to the controller: ask and wait.
 *
 * A blocking facade over one rpc_session on an event loop of its own. Commands that live longer
 * (srun, salloc) run that loop themselves (client_base) and use the functions with callbacks.
 * A failure to reach the controller is E_CONTACT, whose text says for each way that was tried what
 * failed there; that to reach another server is ECONNREFUSED where nothing listened on one of the
 * ways, else ENOTCONN, with such a text; a controller without a place for one more session of this
 * user is E_SESSIONS, at once and in its own words; an answer MSG_ERROR is that error, its code and
 * its text.
 */
#pragma once

#include "common/msg/common.h"
#include "common/rpc/session.h"

struct client;

/* How to find the controller, and how long to try. Strings are borrowed until client_free. */
struct client_options {
    const char *socket_path;  /* the controller's Unix socket, or NULL; tried first */
    const char *const *hosts; /* "host" or "host:port", in the order to try */
    uint32_t hosts_n;
    uint16_t port;         /* where a host says none */
    const char *cluster;   /* ClusterName */
    uid_t slurm_uid;       /* the controller's user; root is accepted too */
    enum rpc_role role;    /* RPC_ROLE_CLIENT, for srun RPC_ROLE_SRUN */
    enum rpc_role server;  /* who is to answer; 0: RPC_ROLE_CONTROLLER */
    int timeout_ms;        /* for connecting, and for each answer; 0: 10 s */
    int patience_ms;       /* try again for so long, unless it is hopeless (wrong key); 0: once. A
                            * controller that is there but overrun gets a minute more. */
    bool returns;          /* it was connected before: waits for a place when there is none */
    uint32_t heartbeat_ms; /* see rpc_options */
    struct authc_options authc;
    struct clock clock;
};

int client_open(const struct client_options *options, struct client **ret_client, struct err *err);

/*
 * Open a client as client_open does, in two halves, so that the caller can do other work while the
 * controller answers.
 */
struct client *client_start(const struct client_options *options);
int client_await(struct client *client, struct err *err);

/* Closes the connection and frees the client. NULL is fine. Returns NULL. */
struct client *client_free(struct client *client);

/* ---- ask and wait ---- */

/*
 * Sends `msg` and waits for its one answer, of type `reply_type`, into *ret_reply (initialised
 * here; release it with its _clear, also after a failure). ret_reply may be NULL.
 */
int client_call(struct client *client, uint32_t type, const void *msg, uint32_t reply_type,
                void *ret_reply, struct err *err);

/*
 * Sends `msg` and gives every record of the answer to `on_record`; the frame is borrowed. A record
 * refused (less than 0) ends the call with that code. No answer for timeout_ms ends it too.
 */
typedef int client_record_fn(uint32_t type, const struct rpc_frame *frame, void *ctx);
int client_stream(struct client *client, uint32_t type, const void *msg,
                  client_record_fn *on_record, void *ctx, struct err *err);

/*
 * Does what client_stream does, for a request that changes nothing. When the connection breaks
 * because a controller restarts, it is asked again over a new one. `begin` (may be NULL) is called
 * before each asking, and forgets the records that came; without it, a request that has given a
 * record is not asked again.
 */
int client_ask(struct client *client, uint32_t type, const void *msg, void (*begin)(void *ctx),
               client_record_fn *on_record, void *ctx, struct err *err);

/*
 * Sends a blob (at most BLOB_MAX bytes) ahead of the message that will name it by *ret_sha256. Does
 * not wait: when the controller refuses it, the next request that fails does so with that reason.
 */
#define CLIENT_BLOB_REQUEST UINT32_MAX /* a number of no watch */
int client_put_blob(struct client *client, const void *data, size_t n,
                    uint8_t ret_sha256[SHA256_BYTES], struct err *err);

/* Does what client_put_blob does when the caller already knows the SHA-256 of the whole blob. */
int client_put_hashed_blob(struct client *client, const void *data, size_t n,
                           const struct blob *sha256, struct err *err);

/* Gets a blob. *ret_data is to be freed, and ended by a zero byte that *ret_n does not count. */
int client_get_blob(struct client *client, const uint8_t sha256[SHA256_BYTES], uint8_t **ret_data,
                    size_t *ret_n, struct err *err);

/* Gets a blob as client_get_blob does, by another request that is answered with its chunks. */
int client_ask_blob(struct client *client, uint32_t type, const void *request,
                    const uint8_t sha256[SHA256_BYTES], uint8_t **ret_data, size_t *ret_n,
                    struct err *err);

/* ---- on the loop ---- */

struct event_base *client_base(struct client *client);
struct rpc_session *client_session(struct client *client); /* NULL while not connected */

/*
 * A request whose answer comes bit by bit. `on_record` is that of client_stream; `on_end` runs once
 * after the last record, with NULL when the stream ended well, else with the reason (E_CLOSED or
 * E_CONTACT when the connection broke). Both run from the loop. The handle is gone when on_end
 * runs, or when a record was refused; cancelling before that makes neither run any more.
 * client_watch returns NULL when not connected.
 */
struct client_watch;
typedef void client_end_fn(const struct err *why, void *ctx);
struct client_watch *client_watch(struct client *client, uint32_t type, const void *msg,
                                  client_record_fn *on_record, client_end_fn *on_end, void *ctx);
struct client_watch *client_watch_cancel(struct client_watch *watch);

/* Sets a function that runs once when the connection breaks, after every watch's on_end. */
void client_on_broken(struct client *client, client_end_fn *fn, void *ctx);

/*
 * Connects anew, trying again with growing pauses for up to patience_ms, after a controller
 * restarted. Does nothing when connected. The second form does not block: `fn` runs from the loop,
 * with NULL when connected again.
 */
int client_reconnect(struct client *client, int patience_ms, struct err *err);
void client_reconnect_async(struct client *client, int patience_ms, client_end_fn *fn, void *ctx);

/* Ends what client_reconnect_async began; its `fn` does not run any more. */
void client_reconnect_cancel(struct client *client);
