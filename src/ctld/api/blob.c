/*
 * blob.c - a blob from the store as a list of chunks. The store is asked for one chunk when the
 * reader has taken what came before, so that of a blob no more than that is in memory.
 */
#include "ctld/api/api.h"

#include <string.h>

#include "common/msg/types.h"
#include "ctld/control/act/act.h"

struct sending {
    struct ctld *ctld;
    struct stream *stream; /* NULL: it was dropped while the store was asked */
    struct store *store;   /* that has it */
    struct job_script job; /* whose blob it is, while its name is not known; or no id */
    uint8_t sha256[SHA256_BYTES];
    uint32_t total, at;
    uint32_t coming; /* bytes counted at the connection until the store answers */
    bool is_begun;   /* the first chunk has come */
    bool asked;      /* the store has yet to answer: it owns this struct then too */
};

static void end_question(struct sending *sending)
{
    sending->stream->conn->coming_bytes -= sending->coming;
    sending->coming = 0;
}

static void release(void *ctx)
{
    struct sending *sending = ctx;

    if (!sending->asked) {
        free(sending);
        return;
    }
    end_question(sending);
    sending->stream = NULL; /* on_piece frees it */
}

static void send_piece(struct sending *sending, const struct blob_chunk *piece)
{
    sending->is_begun = true;
    sending->total = piece->total;
    sending->at += piece->data.n;
    memcpy(sending->sha256, piece->sha256.data, SHA256_BYTES);
    stream_send(sending->stream, MSG_BLOB_CHUNK, piece);
    stream_continue(sending->stream);
}

static void on_piece(const struct blob_chunk *piece, const struct err *err, void *ctx)
{
    struct sending *sending = ctx;
    struct ctld *ctld = sending->ctld;

    sending->asked = false;
    if (!sending->stream) {
        free(sending);
    } else {
        end_question(sending);
        if (err)
            stream_fail(sending->stream, err);
        else
            send_piece(sending, piece);
    }
    ctld_end_turn(ctld);
}

/*
 * Asks the store for the next chunk. Room for it is taken before it comes, or all lists of a client
 * would ask for one each. A node, which needs a script and an environment to go on, gets both at
 * once.
 */
static bool produce(struct stream *stream)
{
    struct sending *sending = stream->ctx;
    struct conn *conn = stream->conn;
    const uint32_t asker = conn->caller.uid;
    bool is_node = rpc_session_peer(conn->session)->role == RPC_ROLE_NODE;

    if (sending->is_begun && sending->at == sending->total)
        return false; /* an empty blob is one empty chunk */
    sending->stream = stream;
    sending->coming = is_node ? 0 : BLOB_CHUNK_MAX;
    conn->coming_bytes += sending->coming;
    sending->asked = stream->waiting = true;
    if (sending->job.job_id && !sending->is_begun)
        store_job_blob(sending->store, asker, &sending->job,
                       caller_has_level(&conn->caller, LEVEL_OPERATOR) ? STORE_ANYBODY : asker,
                       on_piece, sending);
    else
        store_blob(sending->store, asker, sending->sha256, sending->at, on_piece, sending);
    return false;
}

void api_send_blob(struct request *request, const uint8_t sha256[SHA256_BYTES])
{
    struct sending *sending = xcalloc(1, sizeof(*sending));

    sending->ctld = request->ctld;
    sending->store = request->ctld->store;
    memcpy(sending->sha256, sha256, SHA256_BYTES);
    request_stream(request, produce, release, sending);
}

void api_send_job_blob(struct request *request, struct store *store, const struct job_script *ask)
{
    struct sending *sending = xcalloc(1, sizeof(*sending));

    sending->ctld = request->ctld;
    sending->store = store;
    sending->job = (struct job_script){ .job_id = ask->job_id, .environment = ask->environment };
    request_stream(request, produce, release, sending);
}
