#include "ctld/store/enclosed.h"

#include <string.h>

#include "common/base/minmax.h"

#define PART_BYTES (256u << 10) /* of a change: it has to fit into a frame */

static bool has(const struct turn_changes *changes, const struct blob *sha256)
{
    for (uint32_t i = 0; i < changes->changes_n; i++) {
        const struct blob *other = &changes->changes[i].sha256;

        if (other->n == sha256->n && memcmp(other->data, sha256->data, other->n) == 0)
            return true;
    }
    return false;
}

static void add_parts(const struct blob *sha256, const uint8_t *data, uint32_t n,
                      struct turn_changes *ret)
{
    uint32_t at = 0;

    do {
        struct change *change = ARRAY_PUSH(ret->changes, ret->changes_n);
        const struct blob part = { (uint8_t *)(uintptr_t)data + at, MIN(n - at, PART_BYTES) };

        change_init(change);
        change->kind = CHANGE_BLOB;
        change->sha256 = blob_copy(sha256);
        change->number = at;
        change->record = blob_copy(&part);
        at += part.n;
    } while (at < n);
}

static int add(struct sql *db, const struct blob *sha256, struct turn_changes *ret, struct err *err)
{
    struct sql_stmt *stmt;
    int rc;

    if (!sha256->n || has(ret, sha256))
        return 0;
    rc = sql_prepare(db, "SELECT data FROM {blobs} WHERE sha256 = ?", &stmt, err);
    if (rc < 0)
        return rc;
    sql_bind_blob(stmt, 1, sha256->data, sha256->n);
    rc = sql_step(stmt, err);
    if (rc > 0)
        add_parts(sha256, sql_blob(stmt, 0), (uint32_t)sql_bytes(stmt, 0), ret);
    sql_finalize(stmt);
    return rc < 0 ? rc : 0;
}

int enclosed_add(struct sql *db, const struct blob *encoded, const struct store_bodies *which,
                 struct turn_changes *ret, struct err *err)
{
    AUTO(job_body) struct job_body body;
    int rc = schema_decode(job_body_schema(), encoded->data, encoded->n, &body, err);

    if (rc >= 0 && which->scripts)
        rc = add(db, &body.script_sha256, ret, err);
    if (rc >= 0 && which->environments)
        rc = add(db, &body.environment_sha256, ret, err);
    return rc < 0 ? rc : 0;
}
