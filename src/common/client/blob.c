/* Sends blobs to the controller and gets them, in chunks. */
#include <string.h>

#include "common/client/client.h"
#include "common/crypt/crypt.h"
#include "common/msg/types.h"

/* Sends one chunk. Nobody waits for its answer: the client keeps an error for the next that comes.
 */
static int put_chunk(struct client *client, struct blob_chunk *chunk, const uint8_t *data, size_t n)
{
    size_t left = n - chunk->offset;

    chunk->data.data = left ? (uint8_t *)(uintptr_t)data + chunk->offset : NULL;
    chunk->data.n = (uint32_t)(left < BLOB_CHUNK_MAX ? left : BLOB_CHUNK_MAX);
    return rpc_send(client_session(client), MSG_BLOB_PUT, CLIENT_BLOB_REQUEST, 0, chunk);
}

int client_put_hashed_blob(struct client *client, const void *data, size_t n,
                           const struct blob *sha256, struct err *err)
{
    struct blob_chunk chunk = { .sha256 = *sha256 };
    int rc;

    if (n > BLOB_MAX)
        return err_set(err, E_TOO_BIG, "%zu bytes to store, at most %u are possible", n, BLOB_MAX);
    if (!client_session(client))
        return err_set(err, E_CLOSED, "not connected");
    chunk.total = (uint32_t)n;
    do {
        rc = put_chunk(client, &chunk, data, n);
        if (rc < 0)
            return err_set(err, -rc, "%s", err_string(rc));
        chunk.offset += chunk.data.n;
    } while (chunk.offset < n);
    return 0;
}

int client_put_blob(struct client *client, const void *data, size_t n,
                    uint8_t ret_sha256[SHA256_BYTES], struct err *err)
{
    const struct blob sha256 = { ret_sha256, SHA256_BYTES };

    crypt_sha256(data, n, ret_sha256);
    return client_put_hashed_blob(client, data, n, &sha256, err);
}

struct gathering {
    const uint8_t *sha256;
    struct strbuf data;
    uint32_t total;
    bool is_started;
    struct err err;
};

static int check_chunk(const struct gathering *gathering, const struct blob_chunk *chunk,
                       struct err *err)
{
    if (chunk->sha256.n != SHA256_BYTES ||
        memcmp(chunk->sha256.data, gathering->sha256, SHA256_BYTES) != 0)
        return err_set(err, E_PROTO, "a chunk of another blob came");
    if (chunk->total > BLOB_MAX || (gathering->is_started && chunk->total != gathering->total))
        return err_set(err, E_PROTO, "chunk of a blob of %u bytes, at most %u are possible",
                       chunk->total, BLOB_MAX);
    if (chunk->offset != gathering->data.len || chunk->data.n > chunk->total - chunk->offset)
        return err_set(err, E_PROTO, "chunk at %u of a blob of %u bytes came after %zu bytes",
                       chunk->offset, chunk->total, gathering->data.len);
    return 0;
}

static int on_chunk(uint32_t type, const struct rpc_frame *frame, void *ctx)
{
    struct gathering *gathering = ctx;
    AUTO(blob_chunk) struct blob_chunk chunk;
    int rc;

    blob_chunk_init(&chunk);
    if (type != MSG_BLOB_CHUNK)
        return err_set(&gathering->err, E_PROTO, "the answer is %s, should be BLOB_CHUNK",
                       msg_name(type));
    rc = rpc_decode(frame, blob_chunk_schema(), &chunk, &gathering->err);
    if (rc == 0)
        rc = check_chunk(gathering, &chunk, &gathering->err);
    if (rc < 0)
        return rc;
    gathering->is_started = true;
    gathering->total = chunk.total;
    strbuf_add(&gathering->data, chunk.data.data, chunk.data.n);
    return 0;
}

static int check_whole(const struct gathering *gathering, struct err *err)
{
    uint8_t sha256[SHA256_BYTES];

    crypt_sha256(gathering->data.data, gathering->data.len, sha256);
    if (gathering->data.len != gathering->total ||
        memcmp(sha256, gathering->sha256, SHA256_BYTES) != 0)
        return err_set(err, E_PROTO, "a blob came incomplete: %zu of %u bytes", gathering->data.len,
                       gathering->total);
    return 0;
}

int client_get_blob(struct client *client, const uint8_t sha256[SHA256_BYTES], uint8_t **ret_data,
                    size_t *ret_n, struct err *err)
{
    struct blob_get get = { .sha256 = { (uint8_t *)(uintptr_t)sha256, SHA256_BYTES } };

    return client_ask_blob(client, MSG_BLOB_GET, &get, sha256, ret_data, ret_n, err);
}

int client_ask_blob(struct client *client, uint32_t type, const void *request,
                    const uint8_t sha256[SHA256_BYTES], uint8_t **ret_data, size_t *ret_n,
                    struct err *err)
{
    struct gathering gathering = { .sha256 = sha256 };
    int rc = client_stream(client, type, request, on_chunk, &gathering, err);

    if (rc == 0)
        rc = check_whole(&gathering, &gathering.err);
    if (gathering.err.code && err)
        *err = gathering.err;
    if (rc == 0) {
        *ret_n = gathering.data.len;
        *ret_data = (uint8_t *)strbuf_steal(&gathering.data);
    }
    strbuf_clear(&gathering.data);
    return rc;
}
