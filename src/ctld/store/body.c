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

static int fetch(struct body_reader *reader, const struct job_record *job, struct err *err)
{
    const struct blob *name = &job->body_sha256;
    int rc = 0;

    if (!reader->stmt)
        rc = sql_prepare(reader->db, "SELECT data FROM {blobs} WHERE sha256 = ?", &reader->stmt,
                         err);
    if (rc < 0)
        return rc;
    sql_bind_blob(reader->stmt, 1, name->data, name->n);
    rc = sql_step(reader->stmt, err);
    if (rc > 0)
        rc = schema_decode(job_body_schema(), sql_blob(reader->stmt, 0), sql_bytes(reader->stmt, 0),
                           &reader->body, err);
    else if (rc == 0)
        rc = err_set(err, E_STORE, "its body is not there");
    sql_reset(reader->stmt);
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
            rc = fetch(reader, job, err);
        if (rc == 0)
            reader->name = blob_copy(&job->body_sha256);
    }
    *ret = &reader->body;
    return rc;
}
