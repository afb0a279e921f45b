/*
 * conn.h - one connection of the controller: who it is, its blobs, its lists, its handlers.
 *
 * A client's first requests wait until the name service has said who it is. A handler checks
 * nothing that the table or the schema has checked; what it answers waits in the outbox.
 */
#pragma once

#include <uthash.h>

#include "ctld/dispatch/ctld.h"
#include "ctld/control/act/act.h"
#include "ctld/control/act/turn.h"

#define CONN_BLOBS_MAX   4 /* put and not yet named by a request */
#define CONN_STREAMS_MAX 8 /* lists of a client that are not at their end */

struct schema_view;
struct stream;
struct look;
struct snapshot;

struct staged_blob {
    uint8_t sha256[SHA256_BYTES];
    uint32_t total, have;
    uint8_t *data;
};

struct conn {
    struct ctld *ctld;
    uint64_t id;
    struct rpc_session *session;
    struct identity identity; /* of a client */
    struct caller caller;     /* who made it, and whose requests come by it; borrows from identity
                                 and the session */
    char *node;               /* of a registered node */
    struct staged_blob blobs[CONN_BLOBS_MAX];
    uint32_t blobs_n;
    size_t held_bytes;   /* in the outbox */
    size_t coming_bytes; /* that the store was asked for, to be sent when they come */
    struct stream *streams;
    uint32_t streams_n;
    /* A request of a node that is neither answered nor refused yet, or a registration with a
     * slurmdbd: `drop` runs if the connection ends before it is NULL. */
    struct {
        void (*drop)(void *ctx);
        void *ctx;
    } waits;
    bool is_unheard;    /* it asked for too much, and is heard again when it has read */
    struct look *looks; /* requests whose answers wait (lag.h) */
    uint32_t looks_n;
    UT_hash_handle hh;
};

enum handler_role {
    ROLE_USER,     /* any client */
    ROLE_OPERATOR, /* who has that level, or a higher one */
    ROLE_ADMINISTRATOR,
    ROLE_ROOT,
    ROLE_NODE,       /* a node daemon */
    ROLE_CONTROLLER, /* the controller of a cluster: of a slurmdbd */
    ROLE_SLURMDBD,   /* the other slurmdbd of its database: of a slurmdbd */
};

enum handler_kind {
    HANDLER_LOOKS,   /* what it tells is of act.control, which may be a snapshot's */
    HANDLER_RECALLS, /* what it tells was on disk before */
    HANDLER_ACTS, /* it changes nothing that is kept, or is no client's: goes on with a full disk */
    HANDLER_CHANGES, /* refused while the disk is full */
};

struct request {
    struct ctld *ctld;
    struct conn *conn;
    uint32_t type, id;
    struct act act;            /* its caller is the one who asks */
    struct snapshot *snapshot; /* that is looked at; NULL: what is in memory */
    bool at_once; /* its answer tells of nothing that is not on disk, and waits for no turn */
};

/* Handles a request. `msg` is of msg_schema(type), borrowed. Less than 0: the error is sent as the
 * answer. */
typedef int handler_fn(struct request *request, void *msg, struct err *err);

struct handler {
    uint32_t type;
    enum handler_role role;
    enum handler_kind kind;
    handler_fn *handle;
};

/* Returns who made it, with the level that he has now. */
const struct caller *conn_caller(struct conn *conn);

/* Returns whether a daemon of a cluster made it, in nobody's name. */
bool conn_is_of_daemon(const struct conn *conn);

/* Returns how many sessions there may be, and how many there are. */
struct quota_room conn_room(const struct ctld *ctld);

/* Fails unless a peer may hold one more session (quota.h). It is called by the server. */
int conn_check_quota(const struct ctld *ctld, const struct rpc_peer *peer, struct err *err);

/* Takes a session that is ready from the server. */
void conn_accept(struct ctld *ctld, struct rpc_session *session);

/* Serves a request of this connection. The caller ends the turn. */
void conn_serve(struct conn *conn, const struct rpc_frame *frame);

struct conn *conn_find(const struct ctld *ctld, uint64_t id);
struct conn *conn_find_node(const struct ctld *ctld, const char *node);

/* Closes with a reason; the session's on_closed does the rest. */
void conn_close(struct conn *conn, const char *reason);

/* Releases all connections at once. */
void conns_free(struct ctld *ctld);

/* Tells control which nodes have shown life. */
void conns_note_life(struct ctld *ctld);

/* Closes the connections of nodes that control has given up, so that they register anew. */
void conns_drop_lost_nodes(struct ctld *ctld);

/* ---- answering ---- */

void request_reply(struct request *request, uint32_t type, const void *msg);

/* Returns the turn that must be on disk before what the request answers may be told. */
uint64_t request_turn(const struct request *request);
void request_refuse(struct request *request, int rc, struct err *err);

/* Fails while the disk is full, when what the request changes could not be kept. */
int conn_may_change(const struct request *request, struct err *err);

/*
 * A list: `produce` sends one record (stream_send) and returns true, or false after the last one.
 *
 * A reader may take hours. What comes in meanwhile changes, moves and frees all that the controller
 * has, so `ctx` owns what it points to and finds the rest anew in each call, by name or id. Jobs
 * are where they were while jobs_dropped of the model is what it was. The configuration that was in
 * force when the list was asked for is the exception: the stream holds it.
 */
struct stream {
    struct stream *next;
    struct conn *conn;
    const struct caller *caller;
    struct slurm_conf *conf;       /* held; what an operator changes in it changes here, too */
    const struct control *control; /* what it tells of */
    struct snapshot *snapshot;     /* whose that is, held; NULL: the one that goes on */
    bool at_once;                  /* as the request's */
    uint32_t request;
    bool (*produce)(struct stream *stream);
    void (*release)(void *ctx);
    void *ctx;
    bool waiting; /* for an answer of the store; stream_continue ends it */
};

/* Takes `ctx` over. Records are only made while the reader takes them. */
void request_stream(struct request *request, bool (*produce)(struct stream *),
                    void (*release)(void *), void *ctx);
void stream_send(struct stream *stream, uint32_t type, const void *msg);

/* Sends only the fields of the view; NULL: all. */
void stream_send_view(struct stream *stream, uint32_t type, const struct schema_view *view,
                      const void *msg);
void stream_continue(struct stream *stream);

/* Ends the list with an error instead of its end. */
void stream_fail(struct stream *stream, const struct err *err);

void stream_drop(struct stream *stream);

/* Returns the stream of `request` on this connection, or NULL when it is gone. */
struct stream *conn_find_stream(struct conn *conn, uint32_t request);

/* Sends what streams have, as far as the reader takes it. */
void conn_pump(struct conn *conn);

/* True if the reader has read so far that more may be sent. */
bool conn_has_room(const struct conn *conn);

/*
 * True if the client is heard no further until it has read: it has many lists open, or sends one
 * more request while answers wait (had_room: there was room before this one). Answers that wait are
 * memory, and requests are small.
 */
bool conn_asks_too_much(const struct conn *conn, bool had_room);

/* Ends all lists of a connection that ends. */
void conn_drop_streams(struct conn *conn);

/* ---- blobs ---- */

/* Fails with E_PROTO, E_TOO_BIG, or EDQUOT when the user has too much here that waits to be named
 * (quota.h). */
int conn_put_blob(struct conn *conn, const struct blob_chunk *chunk, struct err *err);

/* Fails unless the blob that a request names was put before; an empty name is fine. */
int conn_need_blob(struct conn *conn, const struct blob *sha256, const char *what, struct err *err);

/* Moves the blob into the turn. One that this turn or an earlier one has taken is passed over. */
void conn_note_blob(struct conn *conn, const struct blob *sha256, struct turn *turn);

void conn_drop_blobs(struct conn *conn);

#define BLOB_ENCLOSED_MAX (32u << 10)

/* Encloses in the order small blobs that came in this very turn; nodes ask for others. */
void blobs_enclose(const struct turn *turn, struct order_launch *launch);
