/* blob.c - a blob from the store as a list of chunks. */
#include "ctld/api/api.h"

#include <string.h>

#include "common/msg/types.h"

struct sending {
    struct ctld *ctld;
    uint64_t conn_id; /* the connection may be gone when the store answers */
    uint32_t request;
    uint8_t sha256[SHA256_BYTES];
    uint8_t *data;
    uint32_t total, at;
    bool asked; /* the store has yet to answer: it owns this struct then too */
    bool dropped;
};

static void release(void *ctx)
{
    struct sending *sending = ctx;

    if (sending->asked) {
        sending->dropped = true; /* on_blob frees it */
        return;
    }
    free(sending->data);
    free(sending);
}

static bool produce(struct stream *stream)
{
    struct sending *sending = stream->ctx;
    uint32_t left = sending->total - sending->at;
    struct blob_chunk chunk = { .sha256 = { sending->sha256, SHA256_BYTES },
                                .total = sending->total,
                                .offset = sending->at };

    if (left == 0 && sending->at > 0)
        return false;
    chunk.data.n = left < BLOB_CHUNK_MAX ? left : BLOB_CHUNK_MAX;
    chunk.data.data = sending->data + sending->at;
    stream_send(stream, MSG_BLOB_CHUNK, &chunk);
    sending->at += chunk.data.n;
    return left > 0; /* an empty blob is one empty chunk */
}

static void on_blob(uint8_t *data, uint32_t n, const struct err *err, void *ctx)
{
    struct sending *sending = ctx;
    struct ctld *ctld = sending->ctld;
    struct conn *conn = sending->dropped ? NULL : conn_find(ctld, sending->conn_id);
    struct stream *stream = conn ? conn_find_stream(conn, sending->request) : NULL;

    sending->asked = false;
    sending->data = data;
    sending->total = n;
    if (!stream)
        release(sending);
    else if (err)
        stream_fail(stream, err);
    else
        stream_continue(stream);
    ctld_end_turn(ctld);
}

static bool wait_for_store(struct stream *stream)
{
    stream->waiting = true;
    stream->produce = produce;
    return false;
}

void api_send_blob(struct request *request, const uint8_t sha256[SHA256_BYTES])
{
    struct sending *sending = xcalloc(1, sizeof(*sending));

    sending->ctld = request->ctld;
    sending->conn_id = request->conn->id;
    sending->request = request->id;
    sending->asked = true;
    memcpy(sending->sha256, sha256, SHA256_BYTES);
    request_stream(request, wait_for_store, release, sending);
    store_blob(request->ctld->store, sha256, on_blob, sending);
}
