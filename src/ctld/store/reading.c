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

void read_bind_numbers(struct sql_stmt *stmt, int *at, const uint32_t *numbers, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        sql_bind_int64(stmt, (*at)++, numbers[i]);
}

void read_bind_texts(struct sql_stmt *stmt, int *at, char **texts, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        sql_bind_text(stmt, (*at)++, texts[i]);
}

int read_column(struct sql_stmt *stmt, int column, const struct schema *schema, void *ret,
                struct err *err)
{
    int rc = schema_decode(schema, sql_blob(stmt, column), sql_bytes(stmt, column), ret, err);

    return rc < 0 ? err_prefix(err, "state database holds a damaged record") : 0;
}

int read_column_in(struct arena *arena, struct sql_stmt *stmt, int column,
                   const struct schema *schema, void *ret, struct err *err)
{
    int rc =
        schema_decode_in(arena, schema, sql_blob(stmt, column), sql_bytes(stmt, column), ret, err);

    return rc < 0 ? err_prefix(err, "state database holds a damaged record") : 0;
}

static int each_job(struct sql *db, const char *sql, read_job_fn *on_job, void *ctx,
                    struct err *err)
{
    struct sql_stmt *stmt;
    int rc = sql_prepare(db, sql, &stmt, err), step = 0;

    if (rc < 0)
        return rc;
    while (rc == 0 && (step = sql_step(stmt, err)) > 0) {
        AUTO(job_record) struct job_record job;

        job_record_init(&job);
        rc = read_column(stmt, 0, job_record_schema(), &job, err);
        if (rc == 0 && job.unrecorded != UNRECORDED_ALL)
            on_job(&job, ctx);
    }
    sql_finalize(stmt);
    return rc < 0 ? rc : step;
}

/* The states are those for which job_state_is_active holds. */
_Static_assert(JOB_PENDING == 0 && JOB_RUNNING == 1 && JOB_SUSPENDED == 2, "SQL below says so");

/* The condition for jobs without an end: those that live, and those of a loaded history that nobody
 * has ended yet. */
#define OPEN "alive AND alive IN (1, 2)"

int read_active(struct sql *db, read_job_fn *on_job, void *ctx, struct err *err)
{
    return each_job(db, "SELECT record FROM {jobs} WHERE " OPEN " AND state IN (1, 2)", on_job, ctx,
                    err);
}

int read_waiting(struct sql *db, read_job_fn *on_job, void *ctx, struct err *err)
{
    return each_job(db, "SELECT record FROM {jobs} WHERE " OPEN " AND state = 0", on_job, ctx, err);
}
