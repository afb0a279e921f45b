#include "ctld/store/body.h"

#include <string.h>

#include "ctld/store/db.h"

void body_reader_init(struct body_reader *reader, struct sql *db)
{
    *reader = (struct body_reader){ .db = db };
    job_body_init(&reader->body);
}

void body_reader_clear(struct body_reader *reader)
{
    sql_finalize(reader->stmt);
    free(reader->name.data);
    job_body_clear(&reader->body);
    *reader = (struct body_reader){ 0 };
}

static bool is_at_hand(const struct body_reader *reader, const struct blob *name)
{
    return reader->name.n == name->n &&
           (name->n == 0 || memcmp(reader->name.data, name->data, name->n) == 0);
}

/* Reads the body into the arena's memory, or without one into memory of its own. */
static int fetch(struct sql *db, struct sql_stmt **stmt, struct arena *arena,
                 const struct job_record *job, struct job_body *ret, struct err *err)
{
    const struct blob *name = &job->body_sha256;
    int rc = 0;

    if (!*stmt)
        rc = sql_prepare(db, "SELECT data FROM {blobs} WHERE sha256 = ?", stmt, err);
    if (rc < 0)
        return rc;
    sql_bind_blob(*stmt, 1, name->data, name->n);
    rc = sql_step(*stmt, err);
    if (rc > 0 && arena)
        rc = schema_decode_in(arena, job_body_schema(), sql_blob(*stmt, 0), sql_bytes(*stmt, 0),
                              ret, err);
    else if (rc > 0)
        rc = schema_decode(job_body_schema(), sql_blob(*stmt, 0), sql_bytes(*stmt, 0), ret, err);
    else if (rc == 0)
        rc = err_set(err, E_STORE, "its body is not there");
    sql_reset(*stmt);
    return rc < 0 ? err_prefix(err, "state database: job %u is damaged", job->id) : 0;
}

int body_read(struct body_reader *reader, const struct job_record *job, const struct job_body **ret,
              struct err *err)
{
    int rc = 0;

    if (!is_at_hand(reader, &job->body_sha256)) {
        free(reader->name.data);
        reader->name = (struct blob){ 0 };
        job_body_clear(&reader->body);
        if (job->body_sha256.n)
            rc = fetch(reader->db, &reader->stmt, NULL, job, &reader->body, err);
        if (rc == 0)
            reader->name = blob_copy(&job->body_sha256);
    }
    *ret = &reader->body;
    return rc;
}

void body_shelf_clear(struct body_shelf *shelf)
{
    sql_finalize(shelf->stmt);
    *shelf = (struct body_shelf){ 0 };
}

int body_shelf_read(struct body_shelf *shelf, const struct job_record *job, struct job_body **ret,
                    struct err *err)
{
    const struct blob *name = &job->body_sha256;
    const uint8_t slot = name->n ? name->data[0] : 0;
    struct job_body *body;
    int rc = 0;

    if (name->n == SHA256_BYTES && shelf->names[slot] &&
        memcmp(shelf->names[slot], name->data, SHA256_BYTES) == 0) {
        *ret = shelf->bodies[slot];
        return 0;
    }
    body = arena_alloc(shelf->memory, sizeof(*body));
    job_body_init(body);
    if (name->n)
        rc = fetch(shelf->db, &shelf->stmt, shelf->memory, job, body, err);
    if (rc < 0)
        return rc;
    if (name->n == SHA256_BYTES) {
        shelf->names[slot] = name->data;
        shelf->bodies[slot] = body;
    }
    *ret = body;
    return 0;
}
