#include "ctld/store/purge.h"

#include "ctld/store/archive.h"
#include "ctld/store/body.h"

#define JOBS_A_BITE   100
#define STEPS_A_BITE  1000 /* and those of one job more */
#define BLOBS_A_BITE  200
#define EVENTS_A_BITE 1000

enum phase {
    PHASE_EVENTS,
    PHASE_STEPS,
    PHASE_JOBS,
    PHASE_BEGIN_MARK,
    PHASE_MARK,
    PHASE_MARK_STEPS,
    PHASE_SWEEP,
    PHASE_OVER,
};

struct purge {
    struct sql *db;
    struct writer *writer;
    int64_t jobs_before, steps_before, events_before;
    int64_t steps_since;
    bool blobs;
    struct archive *jobs_archive, *steps_archive;
    enum phase phase;
    int64_t last_end, last_key; /* how far a phase has come */
    struct body_reader bodies;
    struct store_purged done;
};

/* The jobs of one bite. */
struct batch {
    int64_t keys[JOBS_A_BITE], ends[JOBS_A_BITE];
    uint32_t n;
};

struct purge *purge_new(struct sql *db, struct writer *writer, const struct store_purge *what)
{
    struct purge *purge = xcalloc(1, sizeof(*purge));

    purge->db = db;
    body_reader_init(&purge->bodies, db);
    purge->writer = writer;
    purge->jobs_before = what->what.jobs_before;
    purge->steps_before = what->what.steps_before;
    purge->blobs = what->what.blobs;
    purge->events_before = what->what.events_before;
    purge->steps_since = what->steps_since;
    purge->jobs_archive = archive_new(what->jobs_archive);
    purge->steps_archive = archive_new(what->steps_archive);
    return purge;
}

struct purge *purge_free(struct purge *purge)
{
    if (!purge)
        return NULL;
    body_reader_clear(&purge->bodies);
    archive_free(purge->jobs_archive);
    archive_free(purge->steps_archive);
    free(purge);
    return NULL;
}

const struct store_purged *purge_result(const struct purge *purge)
{
    return &purge->done;
}

/* ---- rows that one bite is about ---- */

typedef int row_fn(struct purge *purge, struct sql_stmt *stmt, struct err *err);

/* Runs `sql` with up to three numbers, `on_row` (which may be NULL) on each row. */
static int run(struct purge *purge, const char *sql, const int64_t numbers[3], row_fn *on_row,
               struct err *err)
{
    struct sql_stmt *stmt;
    int rc = sql_prepare(purge->db, sql, &stmt, err), step = 0;

    if (rc < 0)
        return rc;
    sql_bind_numbers(stmt, numbers, sql_params_n(stmt));
    while (rc == 0 && (step = sql_step(stmt, err)) > 0) {
        if (on_row)
            rc = on_row(purge, stmt, err);
    }
    sql_finalize(stmt);
    return rc < 0 ? rc : step;
}

static int decode(struct sql_stmt *stmt, const struct schema *schema, void *ret, struct err *err)
{
    return schema_decode(schema, sql_blob(stmt, 0), sql_bytes(stmt, 0), ret, err);
}

/* Reads jobs that left memory and ended before a moment, the oldest first, from where the last bite
 * stopped. */
static int next_jobs(struct purge *purge, int64_t before, struct batch *ret, struct err *err)
{
    struct sql_stmt *stmt;
    int rc =
        sql_prepare(purge->db,
                    "SELECT `key`, ended FROM {jobs} WHERE NOT alive AND ended < ?"
                    " AND ended >= ? AND (ended, `key`) > (?, ?) ORDER BY ended, `key` LIMIT ?",
                    &stmt, err);

    ret->n = 0;
    if (rc < 0)
        return rc;
    sql_bind_numbers(
        stmt, (int64_t[]){ before, purge->last_end, purge->last_end, purge->last_key, JOBS_A_BITE },
        5);
    while (ret->n < JOBS_A_BITE && (rc = sql_step(stmt, err)) > 0) {
        ret->keys[ret->n] = sql_int64(stmt, 0);
        ret->ends[ret->n++] = sql_int64(stmt, 1);
    }
    sql_finalize(stmt);
    return rc < 0 ? rc : 0;
}

/* ---- jobs and steps ---- */

static int archive_step(struct purge *purge, struct sql_stmt *stmt, struct err *err)
{
    AUTO(step_record) struct step_record step;
    int rc;

    step_record_init(&step);
    rc = decode(stmt, step_record_schema(), &step, err);
    purge->done.steps++;
    return rc < 0 ? rc : archive_add_step(purge->steps_archive, &step, err);
}

static int archive_job(struct purge *purge, struct sql_stmt *stmt, struct err *err)
{
    AUTO(job_record) struct job_record job;
    const struct job_body *body;
    int rc;

    job_record_init(&job);
    if (!purge->jobs_archive)
        return 0;
    rc = decode(stmt, job_record_schema(), &job, err);
    if (rc == 0)
        rc = body_read(&purge->bodies, &job, &body, err);
    return rc < 0 ? rc : archive_add_job(purge->jobs_archive, &job, body, err);
}

#define OF_THE_JOB " WHERE job_id = ? AND run BETWEEN ? AND ?"

static int remove_steps(struct purge *purge, int64_t key, struct err *err)
{
    const int64_t numbers[3] = { key_id(key), key_first_run(key), key_last_run(key) };
    int rc = run(purge, "SELECT record FROM {steps}" OF_THE_JOB " ORDER BY run, step_id", numbers,
                 archive_step, err);

    return rc < 0 ? rc : run(purge, "DELETE FROM {steps}" OF_THE_JOB, numbers, NULL, err);
}

static int remove_job(struct purge *purge, int64_t key, struct err *err)
{
    const int64_t numbers[3] = { key_id(key), key_first_run(key), key_last_run(key) };
    const int64_t row[3] = { key };
    int rc = run(purge, "SELECT record FROM {runs}" OF_THE_JOB " ORDER BY run", numbers,
                 archive_job, err);

    if (rc == 0)
        rc = run(purge, "SELECT record FROM {jobs} WHERE `key` = ?", row, archive_job, err);
    if (rc == 0)
        rc = remove_steps(purge, key, err);
    if (rc == 0)
        rc = run(purge, "DELETE FROM {runs}" OF_THE_JOB, numbers, NULL, err);
    if (rc == 0)
        rc = run(purge, "DELETE FROM {jobs} WHERE `key` = ?", row, NULL, err);
    purge->done.jobs++;
    return rc;
}

static void next_phase(struct purge *purge)
{
    purge->phase++;
    purge->last_end = 0;
    purge->last_key = 0;
}

/* Removes old events. They lie in their order, so what is old is among the first. */
static int remove_events(struct purge *purge, struct err *err)
{
    const int64_t numbers[3] = { purge->events_before, EVENTS_A_BITE };
    int rc = run(purge,
                 "DELETE FROM {events} WHERE time < ? AND turn <= (SELECT max(turn) FROM"
                 " (SELECT turn FROM {events} ORDER BY turn, n LIMIT ?) AS first_ones)",
                 numbers, NULL, err);

    if (rc == 0 && sql_changes(purge->db) == 0) {
        next_phase(purge);
        purge->last_end = purge->steps_since - 1;
    }
    return rc;
}

static int remove_batch(struct purge *purge, int64_t before,
                        int (*remove)(struct purge *purge, int64_t key, struct err *err),
                        struct err *err)
{
    const uint64_t enough = purge->done.steps + STEPS_A_BITE;
    struct batch batch = { .n = 0 };
    int rc = before ? next_jobs(purge, before, &batch, err) : 0;
    uint32_t i = 0;

    for (; rc == 0 && i < batch.n && purge->done.steps < enough; i++) {
        rc = remove(purge, batch.keys[i], err);
        purge->last_key = batch.keys[i];
        purge->last_end = batch.ends[i];
    }
    if (rc == 0)
        rc = archive_sync(purge->jobs_archive, err);
    if (rc == 0)
        rc = archive_sync(purge->steps_archive, err);
    if (rc == 0 && i == batch.n && batch.n < JOBS_A_BITE)
        next_phase(purge);
    return rc;
}

/* ---- blobs: what is named is marked, what is put meanwhile is too, the rest is swept ---- */

/* Makes tables of this connection for what is found to be named, which are empty. */
static int begin_names(struct purge *purge, struct err *err)
{
    static const char *const texts[] = {
        "CREATE TEMPORARY TABLE IF NOT EXISTS {named} {+of_names}",
        "CREATE TEMPORARY TABLE IF NOT EXISTS {followed} {+of_names}",
        "DELETE FROM {named}",
        "DELETE FROM {followed}",
    };
    int rc = 0;

    for (size_t i = 0; rc == 0 && i < ARRAY_N(texts); i++)
        rc = sql_exec(purge->db, texts[i], err);
    return rc;
}

static int begin_mark(struct purge *purge, struct err *err)
{
    int rc = 0;

    if (!purge->blobs && !purge->done.jobs) {
        purge->phase = PHASE_OVER;
        return 0;
    }
    rc = begin_names(purge, err);
    if (rc == 0)
        writer_mark(purge->writer, true);
    next_phase(purge);
    return rc;
}

static int mark_body(struct purge *purge, struct sql_stmt *stmt, struct err *err)
{
    AUTO(job_record) struct job_record job;
    int rc;

    job_record_init(&job);
    rc = decode(stmt, job_record_schema(), &job, err);
    if (rc == 0)
        rc = writer_mark_body(purge->writer, &job.body_sha256, err);
    return rc;
}

static int mark_job(struct purge *purge, struct sql_stmt *stmt, struct err *err)
{
    purge->last_key = sql_int64(stmt, 1);
    return mark_body(purge, stmt, err);
}

/* Marks the blobs of a step, unless it has ended: then it is not launched again. */
static int mark_step(struct purge *purge, struct sql_stmt *stmt, struct err *err)
{
    AUTO(step_record) struct step_record step;
    int rc;

    step_record_init(&step);
    rc = decode(stmt, step_record_schema(), &step, err);
    if (rc < 0 || step.state == STEP_ENDED)
        return rc;
    rc = writer_mark_blob(purge->writer, &step.body_sha256, err);
    if (rc == 0 && step.spec)
        rc = writer_mark_blob(purge->writer, &step.spec->environment_sha256, err);
    return rc;
}

static int mark(struct purge *purge, struct err *err)
{
    const int64_t from = purge->last_key, numbers[3] = { from, JOBS_A_BITE };
    int rc = run(purge, "SELECT record, `key` FROM {jobs} WHERE `key` > ? ORDER BY `key` LIMIT ?",
                 numbers, mark_job, err);

    if (rc == 0 && purge->last_key == from)
        next_phase(purge);
    else if (rc == 0) /* runs may have had another body than the job has now */
        rc = run(purge, "SELECT record FROM {runs} WHERE job_id BETWEEN ? AND ?",
                 (const int64_t[3]){ key_id(from), key_id(purge->last_key) }, mark_body, err);
    return rc;
}

static int note_last(struct purge *purge, struct sql_stmt *stmt, struct err *err)
{
    (void)err;
    purge->last_key = sql_int64(stmt, 0); /* NULL, when there is none, is 0 */
    return 0;
}

/* Marks the steps of live jobs, which alone can have steps that have not ended. */
static int mark_steps(struct purge *purge, struct err *err)
{
    int64_t range[3] = { purge->last_key, JOBS_A_BITE };
    int rc = run(purge,
                 "SELECT max(`key`) FROM (SELECT `key` FROM {jobs} WHERE alive AND alive = 1"
                 " AND `key` > ? ORDER BY `key` LIMIT ?) AS piece",
                 range, note_last, err);

    range[1] = purge->last_key;
    if (rc == 0 && purge->last_key)
        return run(purge,
                   "SELECT s.record FROM {jobs} j {+in_order} {steps} s ON s.job_id = j.id"
                   " WHERE j.alive AND j.alive = 1 AND j.`key` > ? AND j.`key` <= ?",
                   range, mark_step, err);
    next_phase(purge);
    return rc;
}

static int sweep(struct purge *purge, struct err *err)
{
    const int64_t from = purge->last_key;
    int64_t range[3] = { from, BLOBS_A_BITE };
    int rc =
        run(purge,
            "SELECT max(`rowid`) FROM"
            " (SELECT `rowid` FROM {blobs} WHERE `rowid` > ? ORDER BY `rowid` LIMIT ?) AS piece",
            range, note_last, err);

    range[1] = purge->last_key;
    if (rc == 0 && purge->last_key)
        rc = run(purge,
                 "DELETE FROM {blobs} WHERE `rowid` > ? AND `rowid` <= ?"
                 " AND sha256 NOT IN (SELECT sha256 FROM {named})",
                 range, NULL, err);
    if (rc == 0 && purge->last_key)
        purge->done.blobs += sql_changes(purge->db);
    else
        next_phase(purge);
    return rc;
}

/* ---- a bite ---- */

static int do_phase(struct purge *purge, struct err *err)
{
    switch (purge->phase) {
    case PHASE_EVENTS:
        return remove_events(purge, err);
    case PHASE_STEPS:
        return remove_batch(purge, purge->steps_before, remove_steps, err);
    case PHASE_JOBS:
        return remove_batch(purge, purge->jobs_before, remove_job, err);
    case PHASE_BEGIN_MARK:
        return begin_mark(purge, err);
    case PHASE_MARK:
        return mark(purge, err);
    case PHASE_MARK_STEPS:
        return mark_steps(purge, err);
    case PHASE_SWEEP:
        return sweep(purge, err);
    default:
        return 0;
    }
}

int purge_bite(struct purge *purge, struct err *err)
{
    const struct store_purged done = purge->done;
    int rc = sql_begin(purge->db, err);

    if (rc == 0)
        rc = do_phase(purge, err);
    if (rc == 0)
        rc = sql_commit(purge->db, err);
    if (rc < 0) {
        sql_rollback(purge->db);
        purge->done = done;
        archive_undo(purge->jobs_archive);
        archive_undo(purge->steps_archive);
    }
    if (rc == 0 && purge->phase != PHASE_OVER)
        return 1;
    writer_mark(purge->writer, false);
    return rc;
}
