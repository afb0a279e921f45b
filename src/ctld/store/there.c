#include "ctld/store/there.h"

/* Returns THERE_YES if the statement yields a row for these numbers, whose first one is *ret then.
 */
static int find(struct sql *db, const char *sql, const int64_t *numbers, int64_t *ret,
                struct err *err)
{
    struct sql_stmt *stmt;
    int rc = sql_prepare(db, sql, &stmt, err);

    if (rc < 0)
        return rc;
    sql_bind_numbers(stmt, numbers, sql_params_n(stmt));
    rc = sql_step(stmt, err);
    if (rc > 0 && ret)
        *ret = sql_int64(stmt, 0);
    sql_finalize(stmt);
    return rc > 0 ? THERE_YES : rc;
}

int there_job(struct sql *db, const struct job_record *job, struct err *err)
{
    const int64_t key = key_of(job->id, job->launch_number);
    int64_t submitted = 0;
    const int rc = find(db, "SELECT submitted FROM {jobs} WHERE `key` = ?", &key, &submitted, err);

    return rc == THERE_YES && submitted != job->submit_time ? THERE_OTHER : rc;
}

int there_job_number(struct sql *db, uint32_t job_id, uint32_t run, struct err *err)
{
    const int64_t key = key_of(job_id, run);

    return find(db, "SELECT 1 FROM {jobs} WHERE `key` = ?", &key, NULL, err);
}

int there_run(struct sql *db, uint32_t job_id, uint32_t run, struct err *err)
{
    return find(db, "SELECT 1 FROM {runs} WHERE job_id = ? AND run = ?", (int64_t[]){ job_id, run },
                NULL, err);
}

int there_step(struct sql *db, uint32_t job_id, uint32_t run, uint32_t step_id, struct err *err)
{
    return find(db, "SELECT 1 FROM {steps} WHERE job_id = ? AND run = ? AND step_id = ?",
                (int64_t[]){ job_id, run, step_id }, NULL, err);
}

int there_log(struct sql *db, uint64_t turn, uint32_t n, struct err *err)
{
    return find(db, "SELECT 1 FROM {events} WHERE turn = ? AND n = ?",
                (int64_t[]){ (int64_t)turn, n }, NULL, err);
}

int there_event(struct sql *db, const struct cluster_event *event, struct err *err)
{
    AUTO(cluster_event) struct cluster_event there;
    struct sql_stmt *stmt;
    int rc = sql_prepare(db, "SELECT record FROM {cluster_events} WHERE node = ? AND since = ?",
                         &stmt, err);

    cluster_event_init(&there);
    if (rc < 0)
        return rc;
    sql_bind_text(stmt, 1, event->node ? event->node : "");
    sql_bind_int64(stmt, 2, event->since);
    rc = sql_step(stmt, err);
    if (rc > 0 && schema_decode(cluster_event_schema(), sql_blob(stmt, 0), sql_bytes(stmt, 0),
                                &there, NULL) == 0)
        rc = there.is_purged ? THERE_NOT : THERE_YES;
    sql_finalize(stmt);
    return rc;
}
