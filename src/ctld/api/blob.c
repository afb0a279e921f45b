/* blob.c - a blob from the store as a list of chunks. */
#include "ctld/api/api.h"

#include <string.h>

#include "common/crypt/crypt.h"
#include "common/msg/types.h"
#include "ctld/control/act/act.h"

struct sending {
    struct ctld *ctld;
    uint64_t conn_id; /* the connection may be gone when the store answers */
    uint32_t request;
    uint8_t sha256[SHA256_BYTES];
    uint8_t *data;
    uint32_t total, at;
    bool is_unnamed; /* it was asked for by its job: its hash is yet to be made */
    bool asked;      /* the store has yet to answer: it owns this struct then too */
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
    if (sending->is_unnamed && data)
        crypt_sha256(data, n, sending->sha256);
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

static struct sending *begin(struct request *request)
{
    struct sending *sending = xcalloc(1, sizeof(*sending));

    sending->ctld = request->ctld;
    sending->conn_id = request->conn->id;
    sending->request = request->id;
    sending->asked = true;
    request_stream(request, wait_for_store, release, sending);
    return sending;
}

void api_send_blob(struct request *request, const uint8_t sha256[SHA256_BYTES])
{
    struct sending *sending = begin(request);

    memcpy(sending->sha256, sha256, SHA256_BYTES);
    store_blob(request->ctld->store, request->conn->caller.uid, sha256, on_blob, sending);
}

void api_send_job_blob(struct request *request, const struct job_script *ask)
{
    const struct caller *caller = request->act.caller;
    uint32_t uid = caller->is_admin ? STORE_ANYBODY : caller->uid;
    struct sending *sending = begin(request);

    sending->is_unnamed = true;
    store_job_blob(request->ctld->store, caller->uid, ask, uid, on_blob, sending);
}
