#include "ctld/dispatch/conn.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "common/msg/types.h"
#include "ctld/dispatch/asked.h"
#include "ctld/dispatch/journal.h"
#include "ctld/dispatch/lag.h"
#include "ctld/dispatch/watch.h"
#include "ctld/control/acct/acct.h"
#include "ctld/control/act/act.h"
#include "ctld/control/control.h"
#include "ctld/control/node/node.h"

struct conn *conn_find(const struct ctld *ctld, uint64_t id)
{
    struct conn *conn;

    HASH_FIND(hh, ctld->conns, &id, sizeof(id), conn);
    return conn;
}

struct conn *conn_find_node(const struct ctld *ctld, const char *node)
{
    for (struct conn *conn = ctld->conns; conn; conn = conn->hh.next) {
        if (conn->node && strcmp(conn->node, node) == 0)
            return conn;
    }
    return NULL;
}

void conn_close(struct conn *conn, const char *reason)
{
    rpc_session_close(conn->session, reason);
}

/* ---- places ---- */

static bool is_root(const struct ctld *ctld, const struct rpc_peer *peer)
{
    return peer->uid == 0 || peer->uid == ctld->slurm_uid;
}

static bool is_privileged(const struct ctld *ctld, const struct rpc_peer *peer)
{
    return peer->role == RPC_ROLE_NODE || is_root(ctld, peer);
}

struct quota_room conn_room(const struct ctld *ctld)
{
    return (struct quota_room){ .descriptors = quota_descriptors(),
                                .nodes = control_model(ctld->control)->nodes_n };
}

int conn_check_quota(const struct ctld *ctld, const struct rpc_peer *peer, struct err *err)
{
    const struct quota_room room = conn_room(ctld);

    if (is_privileged(ctld, peer))
        return 0;
    return quota_check(ctld->quota, &room, peer->uid, peer->role == RPC_ROLE_SRUN, err);
}

static bool is_daemon(const struct rpc_peer *peer)
{
    return peer->role == RPC_ROLE_NODE || peer->role == RPC_ROLE_CONTROLLER ||
           peer->role == RPC_ROLE_DBD;
}

bool conn_is_of_daemon(const struct conn *conn)
{
    return is_daemon(rpc_session_peer(conn->session));
}

static void conn_free(struct conn *conn)
{
    struct ctld *ctld = conn->ctld;

    HASH_DEL(ctld->conns, conn);
    if (conn->waits.drop)
        conn->waits.drop(conn->waits.ctx);
    conn_drop_blobs(conn);
    if (!is_privileged(ctld, rpc_session_peer(conn->session)))
        quota_leave(ctld->quota, rpc_session_peer(conn->session)->uid);
    outbox_forget(ctld->outbox, conn);
    lag_drop_conn(conn);
    names_forget(ctld->names, conn);
    conn_drop_streams(conn);
    rpc_session_free(conn->session);
    identity_clear(&conn->identity);
    free(conn->node);
    free(conn);
}

void conns_free(struct ctld *ctld)
{
    struct conn *conn, *next;

    HASH_ITER (hh, ctld->conns, conn, next)
        conn_free(conn);
}

/* ---- requests ---- */

const struct caller *conn_caller(struct conn *conn)
{
    const struct ctld *ctld = conn->ctld;

    conn->caller.level = is_root(ctld, rpc_session_peer(conn->session))
                             ? LEVEL_ROOT
                             : acct_level(ctld->control, conn->caller.user_name);
    return &conn->caller;
}

/* Returns the level that a handler of this role is for. */
static enum caller_level level_of(enum handler_role role)
{
    switch (role) {
    case ROLE_OPERATOR:
        return LEVEL_OPERATOR;
    case ROLE_ADMINISTRATOR:
        return LEVEL_ADMINISTRATOR;
    case ROLE_ROOT:
        return LEVEL_ROOT;
    default:
        return LEVEL_USER;
    }
}

/* Refuses what the table of handlers does not allow. Slurm's controller has other words for orders
 * to itself than its slurmdbd. */
static int check_role(const struct request *request, enum handler_role role, struct err *err)
{
    const enum caller_level level = level_of(role);
    const int code = role == ROLE_ADMINISTRATOR && request->ctld->dbd_link ? E_USER_ID : E_ACCESS;
    const struct caller *caller = request->act.caller;
    const enum rpc_role peer = rpc_session_peer(request->conn->session)->role;

    if ((role == ROLE_NODE) != (peer == RPC_ROLE_NODE) ||
        (role == ROLE_CONTROLLER) != (peer == RPC_ROLE_CONTROLLER) ||
        (role == ROLE_SLURMDBD) != (peer == RPC_ROLE_DBD) ||
        (level != LEVEL_USER && !(caller && caller_has_level(caller, level))))
        return err_set(err, code, "%s", err_string(code));
    return 0;
}

/* Refuses changes while the disk is full; looking goes on (lag.h). */
static int check_trouble(const struct handler *handler, struct ctld *ctld, struct err *err)
{
    struct err why = { 0 };

    if (handler->kind != HANDLER_CHANGES || !ctld->in_trouble || !store_trouble(ctld->store, &why))
        return 0;
    return err_set(err, ENOSPC, "%s", why.text);
}

int conn_may_change(const struct request *request, struct err *err)
{
    return check_trouble(request->ctld->find_handler(request->type), request->ctld, err);
}

void request_refuse(struct request *request, int rc, struct err *err)
{
    struct msg_error reply = { .code = (uint32_t)-rc, .text = err->text };

    log_debug(request->ctld->log, "%s from %s refused: %s", msg_name(request->type),
              rpc_session_name(request->conn->session), err->text);
    ctld_send(request->conn, request_turn(request), MSG_ERROR, request->id, RPC_REPLY | RPC_ERROR,
              &reply);
}

/* Notes a request that changes something. Those of nodes are left out: their reports become events
 * where they change something, and all else they ask is refused. */
static void note_in_journal(struct request *request, const struct handler *handler, const void *msg,
                            int rc, const struct err *err)
{
    if (handler->kind != HANDLER_CHANGES || !request->act.caller || request->ctld->in_trouble)
        return;
    if (rc < 0)
        journal_note_refused(request, msg, rc, err);
    else
        journal_note_done(request, msg);
}

static void run_handler(struct request *request, const struct handler *handler,
                        const struct rpc_frame *frame)
{
    const struct schema *schema = msg_schema(frame->type);
    AUTO_FREE void *msg = xcalloc(1, schema->size);
    struct err err = { 0 };
    int rc = check_role(request, handler->role, &err);
    bool is_decoded;

    if (rc == 0)
        rc = rpc_decode(frame, schema, msg, &err);
    is_decoded = rc == 0;
    if (rc == 0)
        rc = check_trouble(handler, request->ctld, &err);
    if (rc == 0 && request->act.caller)
        rc = schema_check_text(schema, msg, &err);
    if (rc < 0 || handler->kind == HANDLER_RECALLS)
        request->at_once = true;
    if (rc == 0)
        rc = handler->handle(request, msg, &err);
    if (rc < 0)
        request_refuse(request, rc, &err);
    note_in_journal(request, handler, is_decoded ? msg : NULL, rc, &err);
    if (is_decoded)
        schema_clear(schema, msg);
}

static void note_life(const struct conn *conn)
{
    if (conn->node)
        control_node_seen(ctld_act(conn->ctld), conn->node);
}

void conn_serve(struct conn *conn, const struct rpc_frame *frame)
{
    struct ctld *ctld = conn->ctld;
    const struct handler *handler = ctld->find_handler(frame->type);
    struct request request = { .ctld = ctld,
                               .conn = conn,
                               .type = frame->type,
                               .id = frame->request,
                               .act = *ctld_act(ctld) };
    uint64_t begin = clock_mono_us(), took_us;

    if (!conn_is_of_daemon(conn))
        request.act.caller = conn_caller(conn); /* what a daemon does, nobody asked for */
    if (handler->kind == HANDLER_LOOKS && !lag_begin_look(&request, frame))
        return;
    run_handler(&request, handler, frame);
    took_us = clock_mono_us() - begin;
    meter_count(&ctld->meter, frame->type, conn->caller.uid, took_us);
    log_at(ctld->log, LOG_DEBUG2, "%s from %s: %" PRIu64 " us", msg_name(frame->type),
           rpc_session_name(conn->session), took_us);
}

static void on_frame(struct rpc_session *session, const struct rpc_frame *frame, void *ctx)
{
    struct conn *conn = ctx;
    const bool had_room = conn_has_room(conn);

    note_life(conn);
    if (frame->type == MSG_HEARTBEAT)
        return;
    if (!conn->ctld->find_handler(frame->type)) {
        rpc_refuse_unknown(session, frame);
        return;
    }
    conn_serve(conn, frame);
    if (conn_asks_too_much(conn, had_room)) {
        conn->is_unheard = true;
        rpc_session_pause(session);
    }
    ctld_end_turn(conn->ctld);
}

static void on_drained(struct rpc_session *session, void *ctx)
{
    struct conn *conn = ctx;

    (void)session;
    conn_pump(conn);
    ctld_flush(conn->ctld);
}

static void on_closed(struct rpc_session *session, const struct err *why, void *ctx)
{
    struct conn *conn = ctx;
    struct ctld *ctld = conn->ctld;

    (void)session;
    if (why->code == E_CLOSED)
        note_life(conn); /* who hangs up is there */
    if (!ctld->dbd_link)
        meter_count(&ctld->meter, METER_ENDED, conn->caller.uid, 0);
    if (conn->node) {
        log_info(ctld->log, "node %s: connection ended: %s", conn->node, why->text);
        control_node_lost(ctld_act(ctld), conn->node);
    }
    watch_drop_conn(ctld, conn, why->code == E_CLOSED);
    asked_drop_conn(ctld, conn);
    conn_free(conn);
    ctld_end_turn(ctld);
}

/* ---- nodes ---- */

void conns_note_life(struct ctld *ctld)
{
    for (struct conn *conn = ctld->conns; conn; conn = conn->hh.next) {
        if (rpc_session_is_alive(conn->session))
            note_life(conn);
    }
}

void conns_drop_lost_nodes(struct ctld *ctld)
{
    for (struct conn *conn = ctld->conns; conn; conn = conn->hh.next) {
        const struct node *node =
            conn->node ? model_find_node(control_model(ctld->control), conn->node) : NULL;

        if (node && !node->online) {
            log_info(ctld->log, "node %s: no answer for SlurmdTimeout, or so an operator says",
                     conn->node);
            free(STEAL(conn->node));
            conn_close(conn, "no sign of life");
        }
    }
}

/* ---- who it is ---- */

static void fill_caller(struct conn *conn)
{
    const struct identity *identity = &conn->identity;
    const struct rpc_peer *peer = rpc_session_peer(conn->session);

    conn->caller = (struct caller){ .uid = peer->uid,
                                    .gid = peer->gid,
                                    .user_name = identity->user_name,
                                    .group_name = identity->group_name,
                                    .home = identity->home,
                                    .shell = identity->shell,
                                    .groups = identity->groups,
                                    .groups_n = identity->groups_n,
                                    .group_names = identity->group_names,
                                    .group_names_n = identity->group_names_n,
                                    .host = peer->address };
}

static void on_identity(const struct identity *identity, const struct err *err, void *ctx)
{
    struct conn *conn = ctx;

    if (identity) {
        identity_clear(&conn->identity);
        schema_copy(identity_schema(), &conn->identity, identity);
    } else {
        log_error(conn->ctld->log, "%s", err->text); /* it may look, but not submit */
    }
    fill_caller(conn);
    rpc_session_resume(conn->session);
}

void conn_accept(struct ctld *ctld, struct rpc_session *session)
{
    static const struct rpc_callbacks callbacks = { .on_frame = on_frame,
                                                    .on_drained = on_drained,
                                                    .on_closed = on_closed };
    const struct rpc_peer *peer = rpc_session_peer(session);
    struct conn *conn = xcalloc(1, sizeof(*conn));

    conn->ctld = ctld;
    conn->id = ctld->next_conn_id++;
    conn->session = session;
    identity_init(&conn->identity);
    HASH_ADD(hh, ctld->conns, id, sizeof(conn->id), conn);
    if (!is_privileged(ctld, peer))
        quota_take(ctld->quota, peer->uid);
    rpc_session_set_callbacks(session, &callbacks, conn);
    fill_caller(conn);
    if (is_daemon(peer))
        return;
    rpc_session_pause(session);
    names_lookup(ctld->names, peer->uid, peer->gid, on_identity, conn);
}
