#include "ctld/store/reading.h"

void read_add_in(struct strbuf *sql, const char *column, uint32_t n)
{
    if (n == 0)
        return;
    strbuf_addf(sql, " AND %s IN (?", column);
    for (uint32_t i = 1; i < n; i++)
        strbuf_adds(sql, ",?");
    strbuf_addc(sql, ')');
}

void read_bind_numbers(sqlite3_stmt *stmt, int *at, const uint32_t *numbers, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        sqlite3_bind_int64(stmt, (*at)++, numbers[i]);
}

void read_bind_texts(sqlite3_stmt *stmt, int *at, char **texts, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        sqlite3_bind_text(stmt, (*at)++, texts[i], -1, SQLITE_STATIC);
}

int read_column(sqlite3_stmt *stmt, int column, const struct schema *schema, void *ret,
                struct err *err)
{
    int rc = schema_decode(schema, sqlite3_column_blob(stmt, column),
                           (size_t)sqlite3_column_bytes(stmt, column), ret, err);

    return rc < 0 ? err_prefix(err, "state database holds a damaged record") : 0;
}

static int each_job(sqlite3 *db, const char *sql, read_job_fn *on_job, void *ctx, struct err *err)
{
    sqlite3_stmt *stmt;
    int rc = db_prepare(db, sql, &stmt, err), step;

    if (rc < 0)
        return rc;
    while (rc == 0 && (step = sqlite3_step(stmt)) != SQLITE_DONE) {
        AUTO(job_record) struct job_record job;

        job_record_init(&job);
        rc = step == SQLITE_ROW ? read_column(stmt, 0, job_record_schema(), &job, err)
                                : db_error(db, sql, err);
        if (rc == 0)
            on_job(&job, ctx);
    }
    sqlite3_finalize(stmt);
    return rc;
}

/* The states are those for which job_state_is_active holds. */
_Static_assert(JOB_PENDING == 0 && JOB_RUNNING == 1 && JOB_SUSPENDED == 2, "SQL below says so");

int read_active(sqlite3 *db, read_job_fn *on_job, void *ctx, struct err *err)
{
    return each_job(db, "SELECT record FROM jobs WHERE alive AND alive = 1 AND state IN (1, 2)",
                    on_job, ctx, err);
}

int read_waiting(sqlite3 *db, read_job_fn *on_job, void *ctx, struct err *err)
{
    return each_job(db, "SELECT record FROM jobs WHERE alive AND alive = 1 AND state = 0", on_job,
                    ctx, err);
}
