/*
 * session.h - one connection between two programs that know who the other is.
 *
 * A session begins with a handshake (docs/PROTOCOL.md): on a Unix socket the kernel tells the
 * peer's uid, over TCP both sides prove themselves with credentials of their local authd and
 * encrypt from then on. on_ready tells that both sides accepted one another; frames flow after it.
 *
 * Owns its descriptor. Callbacks run from the loop only, never from inside a call made here; a
 * session may be freed in any of its own callbacks. on_closed runs once, as the last one, whoever
 * closed and also when the handshake failed; then the owner frees the session. Nothing runs after
 * rpc_session_free. Not for use by two threads.
 */
#pragma once

#include <sys/types.h>

#include "common/authc/authc.h"
#include "common/base/clock.h"
#include "common/msg/session.h"
#include "common/net/gate.h"
#include "common/rpc/frame.h"

struct event_base;
struct rpc_session;

struct rpc_peer {
    uid_t uid;
    gid_t gid;
    pid_t pid; /* of a local peer, else 0 */
    enum rpc_role role;
    char *node;    /* NodeName it claims (and proved, as far as its uid may), or NULL */
    char *cluster; /* it says that it is of, or NULL */
    char *address; /* "10.0.0.7" without port, or NULL for a local peer */
    uint16_t port; /* where its connection comes from, or 0 */
    bool is_local;
    char *version;     /* of its program, or NULL */
    uint64_t features; /* bits it offers */
};

/* Returns "client", "node", "controller" and such; never NULL. */
const char *rpc_role_name(enum rpc_role role);

/*
 * Returns "10.0.0.7:6817", or "uid 1000, pid 77" for a local peer. The text lives as long as the
 * session.
 */
const char *rpc_session_name(const struct rpc_session *session);

/*
 * A question to one of the hooks below, which answers once, now or later. It outlives its session:
 * an answer that comes when the session is gone does nothing. Without an answer the handshake fails
 * at its deadline, but every question must be answered in the end to be released.
 */
struct rpc_question;

/* Answers with a credential, which is borrowed; NULL means failure, and `why` tells the reason. */
void rpc_answer_credential(struct rpc_question *question, const char *credential,
                           const struct err *why);
/*
 * Answers with an identity, which is borrowed; NULL means that the credential is not good, and
 * `why` tells the reason.
 */
void rpc_answer_identity(struct rpc_question *question, const struct authc_identity *identity,
                         const struct err *why);
/* Answers with a fingerprint; NULL means that it cannot be told. */
void rpc_answer_fingerprint(struct rpc_question *question, const char *fingerprint);

/* How a session behaves. All of it is copied by rpc_session_new; `ctx` must outlive the session. */
struct rpc_options {
    enum rpc_role role;  /* of this side */
    const char *cluster; /* ClusterName, and the peer's must be equal; or SESSION_ALL_CLUSTERS */
    const char *node;    /* NodeName of this side, for a node, else NULL */
    struct authc_options authc;
    struct clock clock;

    /*
     * Decides whether a peer is accepted. It is asked after the proof, when uid and role are
     * certain, and refuses with an error that the peer may read. NULL accepts only root and this
     * process's own uid.
     */
    bool (*accept_peer)(const struct rpc_peer *peer, void *ctx, struct err *err);

    /*
     * Makes this side's credential over `claim` (an encoded session_claim); NULL asks authc. A
     * node's agent asks its monitor.
     */
    void (*make_credential)(const void *claim, size_t n, struct rpc_question *question, void *ctx);
    /* Check the peer's credential, and tell the fingerprint of this side's key; NULL asks authc. */
    void (*check_credential)(const char *credential, struct rpc_question *question, void *ctx);
    void (*get_fingerprint)(struct rpc_question *question, void *ctx);
    void *ctx; /* of the four hooks */

    uint32_t handshake_ms; /* deadline until ready, 0: RPC_HANDSHAKE_MS */
    uint32_t heartbeat_ms; /* 0 none; a peer silent for three of them is given up */
    size_t backlog_max;    /* a peer that leaves more unread is cut, 0: RPC_BACKLOG_MAX */
};

#define RPC_HANDSHAKE_MS 10000u
#define RPC_BACKLOG_MAX  (64u << 20)
#define RPC_LOW_WATER    (64u << 10)
#define RPC_HIGH_WATER   (256u << 10)

/* What a session tells its owner. Each callback may be NULL. */
struct rpc_callbacks {
    void (*on_ready)(struct rpc_session *session, void *ctx);

    /*
     * Takes a frame, which is borrowed. Its type may be unknown: rpc_refuse_unknown answers that.
     */
    void (*on_frame)(struct rpc_session *session, const struct rpc_frame *frame, void *ctx);

    /*
     * Tells that the backlog fell to RPC_LOW_WATER after having been above, so that a stream can go
     * on.
     */
    void (*on_drained)(struct rpc_session *session, void *ctx);

    /*
     * Tells that the session is over. `why` is never NULL, and its text names the peer. Its code is
     * E_CLOSED when nothing went wrong.
     */
    void (*on_closed)(struct rpc_session *session, const struct err *why, void *ctx);
};

/*
 * Makes a session of the connected socket `fd` (Unix or TCP). `initiator` is true on the side that
 * connected. Never fails: errors are told by on_closed. Callbacks and options are copied.
 */
struct rpc_session *rpc_session_new(struct event_base *base, int fd, bool initiator,
                                    const struct rpc_options *options,
                                    const struct rpc_callbacks *callbacks, void *ctx);

/* Cuts the connection, and drops what is queued. NULL is fine. Returns NULL. */
struct rpc_session *rpc_session_free(struct rpc_session *session);

/*
 * Returns whether the peer of a session that is not used yet keeps us waiting, for
 * common/net/gate.h. A session that is ready has spoken.
 */
enum net_silence rpc_session_silence(const struct rpc_session *session);

/* Hands a session on to another owner, for example in on_ready. */
void rpc_session_set_callbacks(struct rpc_session *session, const struct rpc_callbacks *callbacks,
                               void *ctx);

/*
 * Returns the peer, owned by the session. It is complete once the session is ready; before that it
 * has only what the kernel tells.
 */
const struct rpc_peer *rpc_session_peer(const struct rpc_session *session);
bool rpc_session_is_ready(const struct rpc_session *session);

/*
 * Queues a message of this type, encoded by its schema; NULL is a message of defaults. Fails with
 * E_CLOSED (not ready, closing, or cut because its backlog grew too large), or E_TOO_BIG, after
 * which the session goes on. Failures may be ignored: on_closed tells.
 */
int rpc_send(struct rpc_session *session, uint32_t type, uint32_t request, uint32_t flags,
             const void *msg);
int rpc_send_bytes(struct rpc_session *session, uint32_t type, uint32_t request, uint32_t flags,
                   const void *body, uint32_t n);

/*
 * Sends a MSG_ERROR that ends request `request`. `code` may be negative; with `text` NULL the text
 * is err_string(code).
 */
int rpc_send_error(struct rpc_session *session, uint32_t request, int code, const char *text);

/* Answers a frame whose type is unknown here with E_UNKNOWN_MESSAGE. */
int rpc_refuse_unknown(struct rpc_session *session, const struct rpc_frame *frame);

/*
 * Returns true if something came from the peer within the last two heartbeats; always true when
 * there are none.
 */
bool rpc_session_is_alive(const struct rpc_session *session);

/* Returns how many bytes are queued and not yet taken by the kernel. */
size_t rpc_session_backlog(const struct rpc_session *session);

/*
 * Stop on_frame, and start it again. Meanwhile frames that arrived are kept, and the peer is slowed
 * down.
 */
void rpc_session_pause(struct rpc_session *session);
void rpc_session_resume(struct rpc_session *session);

/*
 * Sends what is queued, tells the peer why, and closes; then on_closed runs with that reason. NULL
 * is an end without a reason. No frame is delivered any more.
 */
void rpc_session_close(struct rpc_session *session, const char *reason);

/* Decodes a frame's body as schema_decode does; the error names the message. */
int rpc_decode(const struct rpc_frame *frame, const struct schema *schema, void *ret_msg,
               struct err *err);

/* Reads the error that a MSG_ERROR frame carries into *ret_err, and returns its code, negative. */
int rpc_decode_error(const struct rpc_frame *frame, struct err *ret_err);
