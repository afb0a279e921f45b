/* stream.c - answers: single ones, and lists that are made as fast as they are read. */
#include "ctld/dispatch/conn.h"

#include "common/msg/types.h"
#include "common/schema/view.h"

#define PART_USUAL 255 /* bytes of a record of which a list shows some fields */

void request_reply(struct request *request, uint32_t type, const void *msg)
{
    ctld_send(request->ctld, request->conn, type, request->id, RPC_REPLY, msg);
}

void stream_send(struct stream *stream, uint32_t type, const void *msg)
{
    ctld_send(stream->conn->ctld, stream->conn, type, stream->request, RPC_REPLY | RPC_MORE, msg);
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
    ctld_send_body(stream->conn->ctld, stream->conn, type, stream->request, RPC_REPLY | RPC_MORE,
                   &body);
}

static void drop_stream(struct stream *stream)
{
    struct stream **slot = &stream->conn->streams;

    while (*slot != stream)
        slot = &(*slot)->next;
    *slot = stream->next;
    stream->release(stream->ctx);
    slurm_conf_free(stream->conf);
    free(stream);
}

void conn_drop_streams(struct conn *conn)
{
    while (conn->streams)
        drop_stream(conn->streams);
}

void stream_fail(struct stream *stream, const struct err *err)
{
    struct msg_error reply = { .code = (uint32_t)err->code, .text = (char *)(uintptr_t)err->text };

    ctld_send(stream->conn->ctld, stream->conn, MSG_ERROR, stream->request, RPC_REPLY | RPC_ERROR,
              &reply);
    drop_stream(stream);
}

static bool reader_has_room(const struct conn *conn)
{
    return rpc_session_backlog(conn->session) + conn->held_bytes < RPC_HIGH_WATER;
}

static void pump(struct stream *stream)
{
    struct conn *conn = stream->conn;

    while (!stream->waiting && reader_has_room(conn)) {
        if (stream->produce(stream))
            continue;
        if (stream->waiting)
            return;
        ctld_send(conn->ctld, conn, MSG_STREAM_END, stream->request, RPC_REPLY | RPC_END, NULL);
        drop_stream(stream);
        return;
    }
}

void conn_pump(struct conn *conn)
{
    struct stream *next;

    for (struct stream *stream = conn->streams; stream; stream = next) {
        next = stream->next;
        pump(stream);
    }
}

void request_stream(struct request *request, bool (*produce)(struct stream *),
                    void (*release)(void *), void *ctx)
{
    struct stream *stream = xcalloc(1, sizeof(*stream));

    *stream = (struct stream){ .next = request->conn->streams,
                               .conn = request->conn,
                               .caller = request->act.caller,
                               .conf = slurm_conf_ref(request->ctld->conf),
                               .request = request->id,
                               .produce = produce,
                               .release = release,
                               .ctx = ctx };
    request->conn->streams = stream;
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
