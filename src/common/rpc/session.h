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
    char *address; /* "10.0.0.7" without port, or NULL for a local peer */
    uint16_t port; /* where its connection comes from, or 0 */
    bool is_local;
    char *version;     /* of its program, or NULL */
    uint64_t features; /* bits it offers */
};

/* "client", "node", "controller", ... Never NULL. */
const char *rpc_role_name(enum rpc_role role);

/* "10.0.0.7:6817", or "uid 1000, pid 77" for a local peer. Valid as long as the session. */
const char *rpc_session_name(const struct rpc_session *session);

/*
 * A question that a hook below answers now or later, once. It outlives its session: answering when
 * the session is gone is fine and does nothing. Not answering leaves it to the deadline, but
 * every question must be answered in the end to be released.
 */
struct rpc_question;

/* `credential` is borrowed; NULL means failure, told by `why`. */
void rpc_answer_credential(struct rpc_question *question, const char *credential,
                           const struct err *why);
/* `identity` is borrowed; NULL means that the credential is not good, told by `why`. */
void rpc_answer_identity(struct rpc_question *question, const struct authc_identity *identity,
                         const struct err *why);
/* NULL: it cannot be told. */
void rpc_answer_fingerprint(struct rpc_question *question, const char *fingerprint);

/* Everything is copied by rpc_session_new; `ctx` must outlive the session. */
struct rpc_options {
    enum rpc_role role;  /* of this side */
    const char *cluster; /* ClusterName; the peer's must be equal */
    const char *node;    /* NodeName of this side, for a node, else NULL */
    struct authc_options authc;
    struct clock clock;

    /*
     * Which peers are fine; asked after the proof, when uid and role are certain. Refuse with an
     * error that the peer may read. NULL: only root and this process's own uid.
     */
    bool (*accept_peer)(const struct rpc_peer *peer, void *ctx, struct err *err);

    /*
     * Who makes this side's credential over `claim` (an encoded session_claim), NULL: authc. A
     * node's agent asks its monitor.
     */
    void (*make_credential)(const void *claim, size_t n, struct rpc_question *question, void *ctx);
    /* Who checks the peer's, NULL: authc. And who tells this side's key fingerprint. */
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

/* Any may be NULL. */
struct rpc_callbacks {
    void (*on_ready)(struct rpc_session *session, void *ctx);

    /* The frame is borrowed. Type may be unknown: answer E_UNKNOWN_MESSAGE (rpc_refuse_unknown). */
    void (*on_frame)(struct rpc_session *session, const struct rpc_frame *frame, void *ctx);

    /* The backlog fell to RPC_LOW_WATER after having been above: go on with your stream. */
    void (*on_drained)(struct rpc_session *session, void *ctx);

    /* `why` is never NULL; its text names the peer. E_CLOSED when nothing went wrong. */
    void (*on_closed)(struct rpc_session *session, const struct err *why, void *ctx);
};

/*
 * Takes the connected socket `fd` (Unix or TCP). `initiator` is the side that connected. Never
 * fails: what is wrong is told by on_closed. Callbacks and options are copied.
 */
struct rpc_session *rpc_session_new(struct event_base *base, int fd, bool initiator,
                                    const struct rpc_options *options,
                                    const struct rpc_callbacks *callbacks, void *ctx);

/* Cuts the connection; what is queued is lost. NULL is fine. Returns NULL. */
struct rpc_session *rpc_session_free(struct rpc_session *session);

/*
 * Of a session that is not used yet: whether the peer keeps us waiting, for common/net/gate.h. One
 * that is ready has spoken.
 */
enum net_silence rpc_session_silence(const struct rpc_session *session);

/* Hands a session on to another owner, e.g. in on_ready. */
void rpc_session_set_callbacks(struct rpc_session *session, const struct rpc_callbacks *callbacks,
                               void *ctx);

/* Complete once ready; before that only what the kernel tells. Owned by the session. */
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

/* A MSG_ERROR that ends request `request`. `code` may be negative; NULL text: err_string(code). */
int rpc_send_error(struct rpc_session *session, uint32_t request, int code, const char *text);

/* The answer to a frame whose type nobody here knows. */
int rpc_refuse_unknown(struct rpc_session *session, const struct rpc_frame *frame);

/* True if something came from the peer within the last two heartbeats; always without them. */
bool rpc_session_is_alive(const struct rpc_session *session);

/* Bytes queued and not yet taken by the kernel. */
size_t rpc_session_backlog(const struct rpc_session *session);

/* Stops on_frame until resume. Frames that arrived are kept, and the peer is slowed down. */
void rpc_session_pause(struct rpc_session *session);
void rpc_session_resume(struct rpc_session *session);

/*
 * Sends what is queued, tells the peer why, and closes; then on_closed runs with that reason.
 * NULL is a plain end. No frame is delivered any more.
 */
void rpc_session_close(struct rpc_session *session, const char *reason);

/* schema_decode of a frame's body; the error names the message. */
int rpc_decode(const struct rpc_frame *frame, const struct schema *schema, void *ret_msg,
               struct err *err);

/* The error that a MSG_ERROR frame carries, into *ret_err. Returns its code, negative. */
int rpc_decode_error(const struct rpc_frame *frame, struct err *ret_err);
