/* blobs.c - scripts and environments on their way in, before a request names them. */
#include <errno.h>
#include <string.h>

#include "ctld/dispatch/conn.h"
#include "ctld/control/act/turn.h"

static struct staged_blob *find_blob(struct conn *conn, const uint8_t *sha256)
{
    for (uint32_t i = 0; i < conn->blobs_n; i++) {
        if (memcmp(conn->blobs[i].sha256, sha256, SHA256_BYTES) == 0)
            return &conn->blobs[i];
    }
    return NULL;
}

static void drop_blob(struct conn *conn, struct staged_blob *blob)
{
    if (!caller_has_level(&conn->caller, LEVEL_ROOT))
        quota_leave_blob(conn->ctld->quota, conn->caller.uid, blob->total);
    free(blob->data);
    conn->blobs_n--;
    memmove(blob, blob + 1, sizeof(*blob) * (size_t)(&conn->blobs[conn->blobs_n] - blob));
}

void conn_drop_blobs(struct conn *conn)
{
    while (conn->blobs_n)
        drop_blob(conn, &conn->blobs[conn->blobs_n - 1]);
}

static int begin_blob(struct conn *conn, const struct blob_chunk *chunk, struct staged_blob **ret,
                      struct err *err)
{
    struct staged_blob *blob;
    int rc = 0;

    if (chunk->total > BLOB_MAX)
        return err_set(err, E_TOO_BIG, "script or environment of %u bytes: more than %u",
                       chunk->total, BLOB_MAX);
    if (chunk->offset) /* its first chunk was refused */
        return err_set(err, E_PROTO, "blob chunk at %u: the blob has not begun", chunk->offset);
    if (conn->blobs_n == CONN_BLOBS_MAX) /* the oldest belongs to a request that was not made */
        drop_blob(conn, &conn->blobs[0]);
    if (!caller_has_level(&conn->caller, LEVEL_ROOT))
        rc = quota_take_blob(conn->ctld->quota, conn->caller.uid, chunk->total, err);
    if (rc < 0)
        return rc;
    blob = &conn->blobs[conn->blobs_n++];
    *blob = (struct staged_blob){ .total = chunk->total, .data = xmalloc(chunk->total) };
    memcpy(blob->sha256, chunk->sha256.data, SHA256_BYTES);
    *ret = blob;
    return 0;
}

static int check_whole(const struct staged_blob *blob, struct err *err)
{
    uint8_t hash[CRYPT_SHA256_N];

    if (blob->have < blob->total)
        return 0;
    crypt_sha256(blob->data, blob->total, hash);
    if (memcmp(hash, blob->sha256, sizeof(hash)) != 0)
        return err_set(err, E_PROTO,
                       "script or environment does not have the SHA-256 it is said to");
    return 0;
}

int conn_put_blob(struct conn *conn, const struct blob_chunk *chunk, struct err *err)
{
    struct staged_blob *blob;
    int rc = 0;

    if (chunk->sha256.n != SHA256_BYTES)
        return err_set(err, E_PROTO, "blob named by %u bytes, not %d", chunk->sha256.n,
                       SHA256_BYTES);
    blob = find_blob(conn, chunk->sha256.data);
    if (blob && blob->have == blob->total)
        return 0; /* put twice */
    if (!blob)
        rc = begin_blob(conn, chunk, &blob, err);
    if (rc < 0)
        return rc;
    if (chunk->offset != blob->have || chunk->data.n > blob->total - blob->have)
        return err_set(err, E_PROTO, "blob chunk at %u: expected %u of %u", chunk->offset,
                       blob->have, blob->total);
    if (chunk->data.n)
        memcpy(blob->data + blob->have, chunk->data.data, chunk->data.n);
    blob->have += chunk->data.n;
    rc = check_whole(blob, err);
    if (rc < 0) /* or a request could name it, and keep it under the name of another one's blob */
        drop_blob(conn, blob);
    return rc;
}

int conn_need_blob(struct conn *conn, const struct blob *sha256, const char *what, struct err *err)
{
    const struct staged_blob *blob;

    if (sha256->n == 0)
        return 0;
    blob = sha256->n == SHA256_BYTES ? find_blob(conn, sha256->data) : NULL;
    if (!blob || blob->have < blob->total)
        return err_set(err, E_PROTO, "the %s was not sent before the request that names it", what);
    return 0;
}

void conn_note_blob(struct conn *conn, const struct blob *sha256, struct turn *turn)
{
    struct staged_blob *blob = sha256->n ? find_blob(conn, sha256->data) : NULL;

    if (!blob)
        return;
    turn_note_blob(turn, blob->sha256, blob->data, blob->total);
    drop_blob(conn, blob);
}

/* True if the body of the order names the blob: its name stands there as the bytes that it is. */
static bool is_named(const struct order_launch *launch, const struct change *change)
{
    return change->kind == CHANGE_BLOB && change->sha256.n == SHA256_BYTES &&
           memmem(launch->body.data, launch->body.n, change->sha256.data, SHA256_BYTES);
}

void blobs_enclose(const struct turn *turn, struct order_launch *launch)
{
    for (uint32_t i = 0; i < turn->changes.changes_n; i++) {
        const struct change *change = &turn->changes.changes[i];

        if (!is_named(launch, change) || change->record.n > BLOB_ENCLOSED_MAX ||
            launch->body.n > RPC_BODY_MAX / 2)
            continue;
        struct blob_chunk *chunk = ARRAY_PUSH(launch->blobs, launch->blobs_n);

        blob_chunk_init(chunk);
        chunk->sha256 = blob_copy(&change->sha256);
        chunk->data = blob_copy(&change->record);
        chunk->total = change->record.n;
    }
}
