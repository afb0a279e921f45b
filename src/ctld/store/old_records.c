/* old_records.c - what SQL asks of records when it brings tables of an older version to a newer. */
#include "common/crypt/crypt.h"
#include "ctld/store/db.h"
#include "ctld/store/sql/sqlite.h"

static void decode_argument(sqlite3_value **values, const struct schema *schema, void *ret)
{
    /* A damaged record gives the numbers of an empty one: whoever reads it will say so. */
    (void)schema_decode(schema, sqlite3_value_blob(values[0]),
                        (size_t)sqlite3_value_bytes(values[0]), ret, NULL);
}

static void job_array(sqlite3_context *context, int n, sqlite3_value **values)
{
    AUTO(job_record) struct job_record job;

    (void)n;
    job_record_init(&job);
    decode_argument(values, job_record_schema(), &job);
    sqlite3_result_int64(context, job.array_job_id);
}

static void job_run(sqlite3_context *context, int n, sqlite3_value **values)
{
    AUTO(job_record) struct job_record job;

    (void)n;
    job_record_init(&job);
    decode_argument(values, job_record_schema(), &job);
    sqlite3_result_int64(context, job.launch_number);
}

static void step_run(sqlite3_context *context, int n, sqlite3_value **values)
{
    AUTO(step_record) struct step_record step;

    (void)n;
    step_record_init(&step);
    decode_argument(values, step_record_schema(), &step);
    sqlite3_result_int64(context, step.launch_number);
}

/*
 * A job_record of before there were bodies: what is the body's now has the same tags, in the spec.
 */
#define JOB_WITH_BODY(FIELD, LIST, PART) PART(2, job_body, body, 0, "and the job_spec")
SCHEMA_DECLARE(job_with_body, JOB_WITH_BODY);
SCHEMA_DEFINE(job_with_body, JOB_WITH_BODY)

static void give_blob(sqlite3_context *context, struct blob *blob)
{
    sqlite3_result_blob64(context, blob->n ? (const void *)blob->data : "", blob->n,
                          SQLITE_TRANSIENT);
    free(blob->data);
}

static void job_body(sqlite3_context *context, int n, sqlite3_value **values)
{
    static const struct job_body empty;
    AUTO(job_with_body) struct job_with_body job;
    struct blob bytes;

    (void)n;
    job_with_body_init(&job);
    decode_argument(values, job_with_body_schema(), &job);
    bytes = schema_encode_blob(job_body_schema(), job.body ? job.body : &empty);
    give_blob(context, &bytes);
}

static void job_naming_body(sqlite3_context *context, int n, sqlite3_value **values)
{
    AUTO(job_record) struct job_record job;
    const struct blob name = { (uint8_t *)(uintptr_t)sqlite3_value_blob(values[1]),
                               (uint32_t)sqlite3_value_bytes(values[1]) };
    struct blob bytes;

    (void)n;
    job_record_init(&job);
    if (schema_decode(job_record_schema(), sqlite3_value_blob(values[0]),
                      (size_t)sqlite3_value_bytes(values[0]), &job, NULL) < 0) {
        sqlite3_result_value(context, values[0]); /* damaged: see decode_argument */
        return;
    }
    job.body_sha256 = blob_copy(&name);
    bytes = schema_encode_blob(job_record_schema(), &job);
    give_blob(context, &bytes);
}

static void sha256(sqlite3_context *context, int n, sqlite3_value **values)
{
    uint8_t hash[CRYPT_SHA256_N];

    (void)n;
    crypt_sha256(sqlite3_value_blob(values[0]), (size_t)sqlite3_value_bytes(values[0]), hash);
    sqlite3_result_blob(context, hash, sizeof(hash), SQLITE_TRANSIENT);
}

int db_add_functions(struct sql *db, struct err *err)
{
    sqlite3 *own = sqlite_handle(db);
    static const struct {
        const char *name;
        int arguments_n;
        void (*function)(sqlite3_context *context, int n, sqlite3_value **values);
    } functions[] = { { "job_array", 1, job_array },
                      { "job_run", 1, job_run },
                      { "step_run", 1, step_run },
                      { "job_body", 1, job_body },
                      { "job_naming_body", 2, job_naming_body },
                      { "sha256", 1, sha256 } };

    for (size_t i = 0; i < ARRAY_N(functions); i++) {
        if (sqlite3_create_function(own, functions[i].name, functions[i].arguments_n,
                                    SQLITE_UTF8 | SQLITE_DETERMINISTIC, NULL, functions[i].function,
                                    NULL, NULL) != SQLITE_OK)
            return err_set(err, E_STORE, "%s: adding a function: %s", sql_where(db),
                           sqlite3_errmsg(own));
    }
    return 0;
}
