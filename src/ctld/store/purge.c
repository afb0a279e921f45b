#include "ctld/store/purge.h"

#include "ctld/store/archive_line.h"
#include "ctld/store/ledger.h"
#include "ctld/store/purge_own.h"

#define JOBS_A_BITE  100
#define STEPS_A_BITE 1000 /* and those of one job more */
#define BLOBS_A_BITE 200

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
    schema_copy(purge_record_schema(), &purge->what, &what->what);
    purge->steps_since = what->steps_since;
    purge->cluster = xstrdup(what->cluster ? what->cluster : "");
    for (int i = 0; i < ARCHIVE_KINDS_N; i++)
        purge->archives[i] = archive_new(what->archives[i], (enum archive_kind)i);
    return purge;
}

struct purge *purge_free(struct purge *purge)
{
    if (!purge)
        return NULL;
    body_reader_clear(&purge->bodies);
    for (int i = 0; i < ARCHIVE_KINDS_N; i++)
        archive_free(purge->archives[i]);
    free(purge->cluster);
    free(purge);
    return NULL;
}

const struct store_purged *purge_result(const struct purge *purge)
{
    return &purge->done;
}

/* ---- rows that one bite is about ---- */

/* Runs `sql` with up to three numbers, `on_row` (which may be NULL) on each row. */
int purge_run(struct purge *purge, const char *sql, const int64_t numbers[3], purge_row_fn *on_row,
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

int purge_archive(struct purge *purge, enum archive_kind kind, const struct strbuf *line,
                  struct err *err)
{
    const struct archive_source source = { purge->cluster, purge->store };

    return archive_add(purge->archives[kind], &source, line, err);
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
    AUTO(strbuf) struct strbuf line = { 0 };
    int rc;

    step_record_init(&step);
    purge->done.left[ARCHIVE_STEPS]++;
    if (!purge->archives[ARCHIVE_STEPS])
        return 0;
    rc = decode(stmt, step_record_schema(), &step, err);
    if (rc < 0)
        return rc;
    archive_line_step(&line, &step);
    return purge_archive(purge, ARCHIVE_STEPS, &line, err);
}

static int archive_job(struct purge *purge, struct sql_stmt *stmt, bool is_earlier_run,
                       struct err *err)
{
    AUTO(job_record) struct job_record job;
    AUTO(strbuf) struct strbuf line = { 0 };
    struct archive_job archived = { &job, NULL, is_earlier_run };
    int rc;

    job_record_init(&job);
    if (!purge->archives[ARCHIVE_JOBS])
        return 0;
    rc = decode(stmt, job_record_schema(), &job, err);
    if (rc == 0)
        rc = body_read(&purge->bodies, &job, &archived.body, err);
    if (rc < 0)
        return rc;
    archive_line_job(&line, &archived);
    return purge_archive(purge, ARCHIVE_JOBS, &line, err);
}

static int archive_last_run(struct purge *purge, struct sql_stmt *stmt, struct err *err)
{
    return archive_job(purge, stmt, false, err);
}

static int archive_earlier_run(struct purge *purge, struct sql_stmt *stmt, struct err *err)
{
    return archive_job(purge, stmt, true, err);
}

#define OF_THE_JOB " WHERE job_id = ? AND run BETWEEN ? AND ?"

static int remove_steps(struct purge *purge, int64_t key, struct err *err)
{
    const int64_t numbers[3] = { key_id(key), key_first_run(key), key_last_run(key) };
    int rc = purge_run(purge, "SELECT record FROM {steps}" OF_THE_JOB " ORDER BY run, step_id",
                       numbers, archive_step, err);

    return rc < 0 ? rc : purge_run(purge, "DELETE FROM {steps}" OF_THE_JOB, numbers, NULL, err);
}

static int remove_job(struct purge *purge, int64_t key, struct err *err)
{
    const int64_t numbers[3] = { key_id(key), key_first_run(key), key_last_run(key) };
    const int64_t row[3] = { key };
    int rc = purge_run(purge, "SELECT record FROM {runs}" OF_THE_JOB " ORDER BY run", numbers,
                       archive_earlier_run, err);

    if (rc == 0)
        rc = purge_run(purge, "SELECT record FROM {jobs} WHERE `key` = ?", row, archive_last_run,
                       err);
    if (rc == 0)
        rc = remove_steps(purge, key, err);
    if (rc == 0)
        rc = purge_run(purge, "DELETE FROM {runs}" OF_THE_JOB, numbers, NULL, err);
    if (rc == 0)
        rc = purge_run(purge, "DELETE FROM {jobs} WHERE `key` = ?", row, NULL, err);
    purge->done.left[ARCHIVE_JOBS]++;
    return rc;
}

void purge_next_phase(struct purge *purge)
{
    purge->phase++;
    purge->last_end = purge->phase == PHASE_STEPS ? purge->steps_since - 1 : 0;
    purge->last_key = 0;
}

static int remove_batch(struct purge *purge, int64_t before,
                        int (*remove)(struct purge *purge, int64_t key, struct err *err),
                        struct err *err)
{
    const uint64_t enough = purge->done.left[ARCHIVE_STEPS] + STEPS_A_BITE;
    struct batch batch = { .n = 0 };
    int rc = before ? next_jobs(purge, before, &batch, err) : 0;
    uint32_t i = 0;

    for (; rc == 0 && i < batch.n && purge->done.left[ARCHIVE_STEPS] < enough; i++) {
        rc = remove(purge, batch.keys[i], err);
        purge->last_key = batch.keys[i];
        purge->last_end = batch.ends[i];
    }
    if (rc == 0 && i == batch.n && batch.n < JOBS_A_BITE)
        purge_next_phase(purge);
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

    if (!purge->what.blobs && !purge->done.left[ARCHIVE_JOBS]) {
        purge->phase = PHASE_END;
        return 0;
    }
    rc = begin_names(purge, err);
    if (rc == 0)
        writer_mark(purge->writer, true);
    purge_next_phase(purge);
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
    int rc =
        purge_run(purge, "SELECT record, `key` FROM {jobs} WHERE `key` > ? ORDER BY `key` LIMIT ?",
                  numbers, mark_job, err);

    if (rc == 0 && purge->last_key == from)
        purge_next_phase(purge);
    else if (rc == 0) /* runs may have had another body than the job has now */
        rc = purge_run(purge, "SELECT record FROM {runs} WHERE job_id BETWEEN ? AND ?",
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
    int rc = purge_run(purge,
                       "SELECT max(`key`) FROM (SELECT `key` FROM {jobs} WHERE alive AND alive = 1"
                       " AND `key` > ? ORDER BY `key` LIMIT ?) AS piece",
                       range, note_last, err);

    range[1] = purge->last_key;
    if (rc == 0 && purge->last_key)
        return purge_run(purge,
                         "SELECT s.record FROM {jobs} j {+in_order} {steps} s ON s.job_id = j.id"
                         " WHERE j.alive AND j.alive = 1 AND j.`key` > ? AND j.`key` <= ?",
                         range, mark_step, err);
    purge_next_phase(purge);
    return rc;
}

static int sweep(struct purge *purge, struct err *err)
{
    const int64_t from = purge->last_key;
    int64_t range[3] = { from, BLOBS_A_BITE };
    int rc = purge_run(
        purge,
        "SELECT max(`rowid`) FROM"
        " (SELECT `rowid` FROM {blobs} WHERE `rowid` > ? ORDER BY `rowid` LIMIT ?) AS piece",
        range, note_last, err);

    range[1] = purge->last_key;
    if (rc == 0 && purge->last_key)
        rc = purge_run(purge,
                       "DELETE FROM {blobs} WHERE `rowid` > ? AND `rowid` <= ?"
                       " AND sha256 NOT IN (SELECT sha256 FROM {named})",
                       range, NULL, err);
    if (rc == 0 && purge->last_key)
        purge->done.blobs += sql_changes(purge->db);
    else
        purge_next_phase(purge);
    return rc;
}

/* ---- archives ---- */

static int begin(struct purge *purge, struct err *err)
{
    int rc = ledger_store(purge->db, &purge->store, err);

    for (int i = 0; rc == 0 && i < ARCHIVE_KINDS_N; i++)
        rc = archive_check_dir(purge->archives[i], err);
    purge_next_phase(purge);
    return rc;
}

/* Ends files, and what the ledger says of them: each has a last line by then, which says it. */
static int end_files(struct purge *purge, int (*end)(struct archive *, struct err *),
                     struct err *err)
{
    int rc = 0;

    for (int i = 0; rc == 0 && i < ARCHIVE_KINDS_N; i++) {
        struct archive *archive = purge->archives[i];
        const uint64_t number = archive ? archive_number(archive) : 0;

        rc = archive ? end(archive, err) : 0;
        if (rc < 0 || !number || archive_number(archive) == number)
            continue;
        purge->noted[i] = 0;
        rc = ledger_forget(purge->db, LEDGER_LEFT, number, err);
    }
    return rc;
}

static int turn_over(struct purge *purge, struct err *err)
{
    return end_files(purge, archive_turn_over, err);
}

static int end(struct purge *purge, struct err *err)
{
    purge_next_phase(purge);
    return end_files(purge, archive_end, err);
}

/* Brings to the disk what this bite has written, and notes how much of the files has left. */
static int sync_archives(struct purge *purge, struct err *err)
{
    int rc = 0;

    for (int i = 0; rc == 0 && i < ARCHIVE_KINDS_N; i++) {
        struct archive *archive = purge->archives[i];

        rc = archive_sync(archive, err);
        if (rc == 0 && archive && archive_number(archive) &&
            archive_lines(archive) != purge->noted[i]) {
            rc = ledger_note(purge->db, LEDGER_LEFT, archive_number(archive),
                             archive_lines(archive), err);
            purge->noted[i] = archive_lines(archive);
        }
    }
    return rc;
}

/* ---- a bite ---- */

static int do_phase(struct purge *purge, struct err *err)
{
    switch (purge->phase) {
    case PHASE_BEGIN:
        return begin(purge, err);
    case PHASE_EVENTS:
        return purge_events(purge, err);
    case PHASE_LOG:
        return purge_log(purge, ARCHIVE_LOG, purge->what.events_before, err);
    case PHASE_TRANSACTIONS:
        return purge_log(purge, ARCHIVE_TRANSACTIONS, purge->what.transactions_before, err);
    case PHASE_STEPS:
        return remove_batch(purge, purge->what.steps_before, remove_steps, err);
    case PHASE_JOBS:
        return remove_batch(purge, purge->what.jobs_before, remove_job, err);
    case PHASE_USAGE:
        return purge_usage(purge, err);
    case PHASE_BEGIN_MARK:
        return begin_mark(purge, err);
    case PHASE_MARK:
        return mark(purge, err);
    case PHASE_MARK_STEPS:
        return mark_steps(purge, err);
    case PHASE_SWEEP:
        return sweep(purge, err);
    case PHASE_END:
        return end(purge, err);
    default:
        return 0;
    }
}

int purge_bite(struct purge *purge, struct err *err)
{
    const struct store_purged done = purge->done;
    int rc = sql_begin(purge->db, err);

    if (rc == 0)
        rc = turn_over(purge, err);
    if (rc == 0)
        rc = do_phase(purge, err);
    if (rc == 0)
        rc = sync_archives(purge, err);
    if (rc == 0)
        rc = sql_commit(purge->db, err);
    if (rc < 0) {
        sql_rollback(purge->db);
        purge->done = done;
        for (int i = 0; i < ARCHIVE_KINDS_N; i++) {
            archive_undo(purge->archives[i]);
            purge->noted[i] = 0;
        }
    }
    if (rc == 0 && purge->phase != PHASE_OVER)
        return 1;
    writer_mark(purge->writer, false);
    return rc;
}
