#include "ctld/store/amend.h"

#include <inttypes.h>

#include "common/msg/amend.h"
#include "common/text/words.h"
#include "ctld/store/db.h"
#include "ctld/store/reading.h"

/* The two tables that have records of jobs. */
struct place {
    const char *find, *write;
    bool is_run;
};

static const struct place places[] = {
    { "SELECT record FROM {jobs} WHERE `key` = ? AND run = ?",
      "UPDATE {jobs} SET record = ? WHERE `key` = ? AND run = ?", false },
    { "SELECT record FROM {runs} WHERE job_id = ? AND run = ?",
      "UPDATE {runs} SET record = ? WHERE job_id = ? AND run = ?", true },
};

static int64_t key_in(const struct place *place, const struct change *change)
{
    return place->is_run ? change->job_id : key_of(change->job_id, change->run);
}

/* Reads the record. Returns 1, or 0: the table has none. */
static int find(struct sql *db, const struct place *place, const struct change *change,
                struct job_record *ret, struct err *err)
{
    struct sql_stmt *stmt;
    int rc = sql_prepare(db, place->find, &stmt, err), step;

    if (rc < 0)
        return rc;
    sql_bind_int64(stmt, 1, key_in(place, change));
    sql_bind_int64(stmt, 2, change->run);
    step = sql_step(stmt, err);
    if (step > 0)
        rc = read_column(stmt, 0, job_record_schema(), ret, err);
    sql_finalize(stmt);
    return rc < 0 ? rc : step;
}

static int write_record(struct sql *db, const struct place *place, const struct change *change,
                        const struct job_record *job, struct err *err)
{
    AUTO(strbuf) struct strbuf bytes = { 0 };
    struct sql_stmt *stmt;
    int rc = sql_prepare(db, place->write, &stmt, err);

    if (rc < 0)
        return rc;
    schema_encode(job_record_schema(), job, &bytes);
    sql_bind_blob(stmt, 1, bytes.data, bytes.len);
    sql_bind_int64(stmt, 2, key_in(place, change));
    sql_bind_int64(stmt, 3, change->run);
    rc = sql_run(stmt, err);
    sql_finalize(stmt);
    return rc;
}

/* Ends a job that has no end and is nobody's any more, by what else is said of it. */
static int end_job(struct sql *db, struct sums *sums, const struct change *change, struct err *err)
{
    static const struct place open_jobs = {
        "SELECT record FROM {jobs} WHERE `key` = ? AND run = ? AND alive <> 1"
        " AND ended = 9223372036854775807",
        "UPDATE {jobs} SET record = ? WHERE `key` = ? AND run = ?", false
    };
    const struct change end = { .kind = CHANGE_JOB, .is_end = true };
    AUTO(job_record) struct job_record job;
    AUTO_FREE char *columns = NULL;
    int rc;

    job_record_init(&job);
    rc = find(db, &open_jobs, change, &job, err);
    if (rc <= 0)
        return rc;
    job_amend_end(&job);
    rc = sums_add(sums, &end, &job, err);
    if (rc == 0)
        rc = write_record(db, &open_jobs, change, &job, err);
    columns = xasprintf("UPDATE {jobs} SET alive = 0, state = %u, ended = %" PRId64
                        " WHERE `key` = %" PRId64,
                        job.state, job.end_time, key_in(&open_jobs, change));
    return rc < 0 ? rc : sql_exec(db, columns, err);
}

/* Returns 1 if the table had the record, which is changed then. */
static int amend_in(struct sql *db, struct sums *sums, const struct place *place,
                    const struct change *change, const struct job_amendment *amendment,
                    struct err *err)
{
    AUTO(job_record) struct job_record before;
    AUTO(job_record) struct job_record after;
    int rc;

    job_record_init(&before);
    job_record_init(&after);
    rc = find(db, place, change, &before, err);
    if (rc <= 0)
        return rc;
    schema_copy(job_record_schema(), &after, &before);
    job_amend(&after, amendment);
    if (!text_is(before.spec->wckey ? before.spec->wckey : "",
                 after.spec->wckey ? after.spec->wckey : ""))
        rc = sums_move(sums, place->is_run, &before, &after, err);
    if (rc >= 0)
        rc = write_record(db, place, change, &after, err);
    return rc < 0 ? rc : 1;
}

int amend_write(struct sql *db, struct sums *sums, const struct change *change, struct err *err)
{
    AUTO(job_amendment) struct job_amendment amendment;
    int rc = schema_decode(job_amendment_schema(), change->record.data, change->record.n,
                           &amendment, err);

    if (rc == 0 && job_amendment_sets(&amendment, AMENDMENT_TAG_ends))
        rc = end_job(db, sums, change, err);
    for (size_t i = 0; rc == 0 && i < ARRAY_N(places); i++)
        rc = amend_in(db, sums, &places[i], change, &amendment, err);
    return rc < 0 ? rc : 0;
}
