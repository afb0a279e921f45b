/*
 * inside.h - the parts of a session, for the files of common/rpc that make it up:
 * session.c (life), flow.c (frames in and out), ending.c (why and when it is over), greet.c (the
 * handshake), question.c (asking hooks, authd).
 */
#pragma once

#include <event2/util.h>

#include "common/rpc/channel.h"
#include "common/rpc/handshake.h"
#include "common/rpc/session.h"

struct event;

enum session_state {
    SESSION_HELLO,   /* waits for the peer's hello */
    SESSION_PROOF,   /* for its proof, or its claim when local */
    SESSION_VERDICT, /* for its verdict */
    SESSION_READY,
    SESSION_ENDING, /* says why, and waits for the peer to hang up */
    SESSION_DONE,   /* closed; on_closed runs or ran */
};

enum question_kind { ASK_CREDENTIAL, ASK_IDENTITY, ASK_FINGERPRINT, ASK_N };

struct answer {
    bool given;
    bool is_good;
    char *text; /* credential or fingerprint */
    uid_t uid;  /* identity */
    gid_t gid;
    uint8_t *payload;
    size_t payload_n;
    struct err why;
};

/* The state of a handshake, which is cleared when the handshake is over. */
struct greeting {
    struct handshake handshake;
    struct rpc_question *asked[ASK_N];
    struct answer answers[ASK_N];
    int64_t peer_ahead_s; /* the peer's clock, less ours, when its hello came */
    bool proof_sent;
    bool peer_good; /* proof checked, claim checked, peer accepted */
    bool verdict_sent;
    bool peer_accepts; /* its verdict came */
    bool keys_differ;
    bool refusal_comes; /* keys differ and the peer will say which it has */
    char *own_fingerprint, *peer_fingerprint;
};

struct rpc_session {
    struct event_base *base;    /* borrowed */
    struct rpc_options options; /* strings owned */
    struct rpc_callbacks callbacks;
    void *ctx;
    bool initiator;
    struct channel channel;
    struct rpc_peer peer;
    char *name;
    enum session_state state;
    struct greeting greet;
    struct event *readable, *writable;
    struct event *work;  /* runs soon, from the loop: what calls left to do */
    struct event *timer; /* handshake deadline, heartbeat, or end of lingering */
    unsigned silent;     /* heartbeats without a sign of life */
    bool was_above;      /* the backlog was above the low water mark */
    bool at_end;         /* the peer hung up or broke; frames that it sent may be left */
    int end_code;        /* 0, or the errno of what broke */
    bool is_paused, is_freed, is_shut;
    unsigned depth; /* of entries from the loop, so that freeing waits for the last */
    struct err why; /* set once, when state becomes ENDING or DONE */
};

/* Enclose every call from the loop. session_leave frees a session that was freed in between. */
void session_enter(struct rpc_session *session);
void session_leave(struct rpc_session *session);

/*
 * Let the loop go on with the session: the first as soon as it can, the second by its timer after
 * `ms`.
 */
void session_kick(struct rpc_session *session);
void session_wait(struct rpc_session *session, uint32_t ms);

/* Ends the handshake with success. */
void session_ready(struct rpc_session *session);

/* ---- flow.c: called by the loop ---- */

void session_on_readable(evutil_socket_t fd, short what, void *arg);
void session_on_writable(evutil_socket_t fd, short what, void *arg);
void session_on_work(evutil_socket_t fd, short what, void *arg);

/* ---- ending.c ---- */

/*
 * End the session: the first at once, the second after what is queued was written and the peer hung
 * up.
 */
void session_fail(struct rpc_session *session, const struct err *why);
void session_finish(struct rpc_session *session, const struct err *why);

/* Tells the peer why, in the words of the stage that the session is in, and finishes. */
void session_end_because(struct rpc_session *session, const struct err *why);

/*
 * End the session because the peer said that it is over (the first), or because it hung up (`code`
 * 0) or the connection broke (`code` an errno).
 */
void session_told_error(struct rpc_session *session, const struct rpc_frame *frame);
void session_hung_up(struct rpc_session *session, int code);

/*
 * Ends the session for good, as every ending does at last. Nothing is read or written after it, and
 * on_closed is called from the loop.
 */
void session_close_now(struct rpc_session *session);

/*
 * Called by the loop at the deadline of the handshake, for a heartbeat, and at the end of
 * lingering.
 */
void session_on_timer(evutil_socket_t fd, short what, void *arg);

/* ---- send.c ---- */

/* Queues a message whatever the session's state, as the handshake needs. */
void session_put(struct rpc_session *session, uint32_t type, uint32_t request, uint32_t flags,
                 const void *msg);

/* ---- greet.c ---- */

void greet_start(struct rpc_session *session);
void greet_frame(struct rpc_session *session, const struct rpc_frame *frame);
void greet_answers(struct rpc_session *session); /* goes on with answers that came */
void greet_refuse(struct rpc_session *session, const struct err *why);
void greet_clear(struct rpc_session *session);

/*
 * greet_holds returns whether frames must wait for an answer. greet_late_frame takes a frame that
 * comes after a refusal, which may explain it.
 */
bool greet_holds(const struct rpc_session *session);
void greet_late_frame(struct rpc_session *session, const struct rpc_frame *frame);
void greet_explain(struct rpc_session *session); /* both fingerprints into session->why */

/* ---- question.c ---- */

void question_credential(struct rpc_session *session, const void *claim, size_t n);
void question_identity(struct rpc_session *session, const char *credential);
void question_fingerprint(struct rpc_session *session);
void question_drop_all(struct greeting *greet);
