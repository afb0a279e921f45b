/* stream.c - answers: single ones, and lists that are made as fast as they are read. */
#include "ctld/dispatch/conn.h"

#include "common/msg/types.h"
#include "common/schema/view.h"
#include "ctld/dispatch/snapshot.h"

#define PART_USUAL 255 /* bytes of a record of which a list shows some fields */

uint64_t request_turn(const struct request *request)
{
    return request->at_once ? OUTBOX_AT_ONCE : ctld_turn(request->ctld);
}

void request_reply(struct request *request, uint32_t type, const void *msg)
{
    ctld_send(request->conn, request_turn(request), type, request->id, RPC_REPLY, msg);
}

static uint64_t stream_turn(const struct stream *stream)
{
    return stream->at_once ? OUTBOX_AT_ONCE : ctld_turn(stream->conn->ctld);
}

static void send(struct stream *stream, uint32_t type, uint32_t flags, const void *msg)
{
    ctld_send(stream->conn, stream_turn(stream), type, stream->request, RPC_REPLY | flags, msg);
}

void stream_send(struct stream *stream, uint32_t type, const void *msg)
{
    send(stream, type, RPC_MORE, msg);
}

void stream_send_view(struct stream *stream, uint32_t type, const struct schema_view *view,
                      const void *msg)
{
    struct strbuf body = { 0 };

    if (!view) {
        stream_send(stream, type, msg);
        return;
    }
    strbuf_reserve(&body, PART_USUAL);
    schema_view_encode(view, msg, &body);
    ctld_send_body(stream->conn, stream_turn(stream), type, stream->request, RPC_REPLY | RPC_MORE,
                   &body);
}

void stream_drop(struct stream *stream)
{
    struct stream **slot = &stream->conn->streams;

    while (*slot != stream)
        slot = &(*slot)->next;
    *slot = stream->next;
    stream->conn->streams_n--;
    stream->release(stream->ctx);
    slurm_conf_free(stream->conf);
    snapshot_unref(stream->snapshot);
    free(stream);
}

void conn_drop_streams(struct conn *conn)
{
    while (conn->streams)
        stream_drop(conn->streams);
}

void stream_fail(struct stream *stream, const struct err *err)
{
    struct msg_error reply = { .code = (uint32_t)err->code, .text = (char *)(uintptr_t)err->text };

    send(stream, MSG_ERROR, RPC_ERROR, &reply);
    stream_drop(stream);
}

bool conn_has_room(const struct conn *conn)
{
    return rpc_session_backlog(conn->session) + conn->held_bytes + conn->coming_bytes <
           RPC_HIGH_WATER;
}

static void pump(struct stream *stream)
{
    struct conn *conn = stream->conn;

    conn_caller(conn); /* a list that is followed for hours tells what its reader may see by now */
    while (!stream->waiting && conn_has_room(conn)) {
        if (stream->produce(stream))
            continue;
        if (stream->waiting)
            return;
        send(stream, MSG_STREAM_END, RPC_END, NULL);
        stream_drop(stream);
        return;
    }
}

bool conn_asks_too_much(const struct conn *conn, bool had_room)
{
    return !conn_is_of_daemon(conn) && (!had_room || conn->streams_n >= CONN_STREAMS_MAX);
}

void conn_pump(struct conn *conn)
{
    struct stream *next;

    for (struct stream *stream = conn->streams; stream; stream = next) {
        next = stream->next;
        pump(stream);
    }
    if (conn->is_unheard && !conn_asks_too_much(conn, conn_has_room(conn))) {
        conn->is_unheard = false;
        rpc_session_resume(conn->session);
    }
}

void request_stream(struct request *request, bool (*produce)(struct stream *),
                    void (*release)(void *), void *ctx)
{
    struct stream *stream = xcalloc(1, sizeof(*stream));
    struct slurm_conf *conf = request->ctld->conf;

    *stream = (struct stream){ .next = request->conn->streams,
                               .conn = request->conn,
                               .caller = request->act.caller,
                               .conf = conf ? slurm_conf_ref(conf) : NULL, /* a slurmdbd has none */
                               .control = request->act.control,
                               .at_once = request->at_once,
                               .request = request->id,
                               .produce = produce,
                               .release = release,
                               .ctx = ctx };
    if (request->snapshot)
        stream->snapshot = snapshot_ref(request->snapshot);
    request->conn->streams = stream;
    request->conn->streams_n++;
    pump(stream);
}

void stream_continue(struct stream *stream)
{
    stream->waiting = false;
    pump(stream);
}

struct stream *conn_find_stream(struct conn *conn, uint32_t request)
{
    struct stream *stream = conn->streams;

    while (stream && stream->request != request)
        stream = stream->next;
    return stream;
}
