/* read.c - records back from the tables. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "common/text/words.h"
#include "ctld/store/body.h"
#include "ctld/store/reading.h"

/* ---- what is alive ---- */

struct loading {
    const struct store_loader *loader;
    void *ctx;
    struct body_reader bodies;
};

typedef int row_fn(struct sql_stmt *stmt, struct loading *loading, struct err *err);

static int load_number(struct sql_stmt *stmt, struct loading *loading, struct err *err)
{
    (void)err;
    loading->loader->on_number(sql_text(stmt, 0), sql_int64(stmt, 1), loading->ctx);
    return 0;
}

static int load_job(struct sql_stmt *stmt, struct loading *loading, struct err *err)
{
    AUTO(job_record) struct job_record job;
    const struct job_body *body;
    int rc = read_column(stmt, 0, job_record_schema(), &job, err);

    if (rc == 0)
        rc = body_read(&loading->bodies, &job, &body, err);
    if (rc == 0)
        loading->loader->on_job(&job, body, loading->ctx);
    return rc;
}

static int load_step(struct sql_stmt *stmt, struct loading *loading, struct err *err)
{
    AUTO(step_record) struct step_record step;
    int rc = read_column(stmt, 0, step_record_schema(), &step, err);

    if (rc == 0)
        loading->loader->on_step(&step, loading->ctx);
    return rc;
}

/* Loads a kept record. One of a newer program is not passed over: this one would act as if it were
 * not there. */
static int load_kept(struct sql_stmt *stmt, struct loading *loading, struct err *err)
{
    const uint32_t number = (uint32_t)sql_int64(stmt, 1);
    const struct kept_kind *kind = kept_kind_find(number);
    AUTO_FREE void *record = NULL;
    int rc;

    if (!kind)
        return err_set(err, E_STORE,
                       "%s holds records of kind %u, which this program does not know; start the "
                       "newer program",
                       sql_where(sql_of(stmt)), number);
    record = xcalloc(1, kind->schema()->size);
    rc = read_column(stmt, 0, kind->schema(), record, err);
    if (rc < 0)
        return rc;
    loading->loader->on_kept(kind, record, loading->ctx);
    schema_clear(kind->schema(), record);
    return 0;
}

static int each_row(struct sql *db, const char *sql, row_fn *on_row, struct loading *loading,
                    struct err *err)
{
    struct sql_stmt *stmt;
    int rc = sql_prepare(db, sql, &stmt, err), step = 0;

    if (rc < 0)
        return rc;
    while (rc == 0 && (step = sql_step(stmt, err)) > 0)
        rc = on_row(stmt, loading, err);
    sql_finalize(stmt);
    return rc < 0 ? rc : step;
}

/* The condition for jobs alive: in these words the index has them by key, already sorted. */
#define ALIVE "alive AND alive = 1"

/* Loads the jobs, those of earlier rounds first: ids begin again when the highest was given (see
 * key_of). */
static int load_jobs(struct sql *db, struct loading *loading, struct err *err)
{
    const int round_mask = JOB_ROUNDS_N - 1;
    int64_t round = -1;
    int rc;

    for (;;) {
        AUTO_FREE char *next =
            xasprintf("SELECT ifnull(min(`key` & %d), -1) FROM {jobs} WHERE " ALIVE
                      " AND (`key` & %d) > %" PRId64,
                      round_mask, round_mask, round);
        AUTO_FREE char *records = NULL;

        rc = sql_number(db, next, &round, err);
        if (rc < 0 || round < 0)
            return rc;
        records = xasprintf("SELECT record FROM {jobs} WHERE " ALIVE " AND (`key` & %d) = %" PRId64
                            " ORDER BY `key`",
                            round_mask, round);
        rc = each_row(db, records, load_job, loading, err);
        if (rc < 0)
            return rc;
    }
}

int read_alive(struct sql *db, const struct store_loader *loader, void *ctx, struct err *err)
{
    struct loading loading = { .loader = loader, .ctx = ctx };
    int rc;

    body_reader_init(&loading.bodies, db);
    rc = each_row(db, "SELECT name, number FROM {numbers}", load_number, &loading, err);
    if (rc == 0)
        rc = each_row(db, "SELECT record, kind FROM {kept} ORDER BY kind, `key`", load_kept,
                      &loading, err);
    if (rc == 0)
        rc = load_jobs(db, &loading, err);
    if (rc == 0)
        rc = each_row(db,
                      "SELECT s.record FROM {jobs} j {+in_order} {steps} s"
                      " ON s.job_id = j.id AND s.run = j.run WHERE j.alive AND j.alive = 1"
                      " ORDER BY j.`key`, s.step_id",
                      load_step, &loading, err);
    body_reader_clear(&loading.bodies);
    return rc;
}

/* ---- history ---- */

/* Adds the ids. A number may also be an array's: then its tasks are meant. */
static void add_ids(struct strbuf *sql, const struct history_list *filter)
{
    if (filter->job_ids_n == 0)
        return;
    strbuf_adds(sql, " AND `key` IN (SELECT meant FROM (SELECT `key` AS meant FROM {jobs} WHERE 1");
    read_add_in(sql, "id", filter->job_ids_n);
    strbuf_adds(sql, " UNION SELECT `key` FROM {jobs} WHERE array_id");
    read_add_in(sql, "array_id", filter->job_ids_n);
    strbuf_adds(sql, ") AS by_id)");
}

static void write_query(const struct history_list *filter, struct strbuf *sql)
{
    strbuf_adds(sql, "SELECT record, `key` FROM {jobs} WHERE `key` > ?");
    add_ids(sql, filter);
    read_add_in(sql, "uid", filter->uids_n);
    read_add_in(sql, "state", filter->states_n);
    read_add_in(sql, "`partition`", filter->partitions_n);
    read_add_in(sql, "name", filter->names_n);
    if (filter->from)
        strbuf_adds(sql,
                    " AND +ended >= ?"); /* '+': not by that index, which would sort each page */
    if (filter->until && filter->duplicates) /* a requeued job was submitted before, too */
        strbuf_adds(sql, " AND (submitted <= ? OR id IN (SELECT job_id FROM {runs}))");
    else if (filter->until)
        strbuf_adds(sql, " AND submitted <= ?");
    strbuf_addf(sql, " ORDER BY `key` LIMIT %d", STORE_PAGE + 1);
}

/* Binds the parameters in the order of write_query. */
static void bind_query(struct sql_stmt *stmt, const struct history_list *filter, uint64_t after)
{
    int at = 1;

    sql_bind_int64(stmt, at++, (int64_t)after);
    read_bind_numbers(stmt, &at, filter->job_ids, filter->job_ids_n);
    read_bind_numbers(stmt, &at, filter->job_ids, filter->job_ids_n);
    read_bind_numbers(stmt, &at, filter->uids, filter->uids_n);
    read_bind_numbers(stmt, &at, filter->states, filter->states_n);
    read_bind_texts(stmt, &at, filter->partitions, filter->partitions_n);
    read_bind_texts(stmt, &at, filter->names, filter->names_n);
    if (filter->from)
        sql_bind_int64(stmt, at++, filter->from);
    if (filter->until)
        sql_bind_int64(stmt, at++, filter->until);
}

/* ---- one page ---- */

/* Statements that read a job's steps and runs. The batch step has a high number but comes first, as
 * sacct shows it. */
#define STEPS_SQL                                                                                  \
    "SELECT record FROM {steps} WHERE job_id = ? AND run = ?"                                      \
    " ORDER BY step_id < 4294967280, step_id"
#define RUNS_SQL "SELECT record FROM {runs} WHERE job_id = ? AND run BETWEEN ? AND ? ORDER BY run"
#define RUN_SQL  "SELECT 1 FROM {runs} WHERE job_id = ? AND run = ?"
#define NEXT_SQL "SELECT ifnull(min(job_id), 4294967296) FROM {runs} WHERE job_id >= ?"

struct page {
    const struct history_list *filter;
    struct sql_stmt *steps, *runs, *run, *next;
    int64_t next_id; /* jobs of lower ids, from the page's first on, have no earlier runs */
    struct body_shelf bodies;
    struct jobs_page *told_jobs;
    uint32_t rows_n;
    int64_t last; /* key of the last row; 0: there was none yet */
    int64_t told; /* and of the last one that is told */
    bool is_full; /* there are more rows */
};

/* Reads the row's step into the job. */
static int add_step(struct arena *memory, struct sql_stmt *stmt, struct history_job *job,
                    struct err *err)
{
    job->steps = arena_grow(memory, job->steps, job->steps_n, sizeof(*job->steps));
    return read_column_in(memory, stmt, 0, step_record_schema(), &job->steps[job->steps_n++], err);
}

static int read_steps(const struct page *page, struct history_job *job, struct err *err)
{
    struct sql_stmt *stmt = page->steps;
    int rc = 0, step = 0;

    if (page->filter->no_steps || job->job->unrecorded != UNRECORDED_NOTHING)
        return 0;
    sql_bind_int64(stmt, 1, job->job->id);
    sql_bind_int64(stmt, 2, job->job->launch_number);
    while (rc == 0 && (step = sql_step(stmt, err)) > 0)
        rc = add_step(&page->told_jobs->memory, stmt, job, err);
    sql_reset(stmt);
    return rc < 0 ? rc : step;
}

/* Returns whether the job is in one of the accounts that are asked for. Tables have no column of
 * accounts: a job of another costs its record, and neither body nor steps. */
static bool is_of_accounts(const struct history_list *filter, const struct job_record *job)
{
    for (uint32_t i = 0; i < filter->accounts_n; i++) {
        if (text_is(job->spec->account, filter->accounts[i]))
            return true;
    }
    return filter->accounts_n == 0;
}

/* Adds a job with this record, which is in the memory of the page. */
static int add_job(struct page *page, const struct job_record *record, struct history_job **ret_job,
                   struct err *err)
{
    struct jobs_page *told = page->told_jobs;
    struct history_job *job;

    told->jobs = arena_grow(&told->memory, told->jobs, told->n, sizeof(*told->jobs));
    job = &told->jobs[told->n++];
    history_job_init(job);
    job->job = arena_alloc(&told->memory, sizeof(*record));
    *job->job = *record;
    *ret_job = job;
    return body_shelf_read(&page->bodies, job->job, &job->body, err);
}

/* Reads the row's record into the memory of the page, if it is to be told. Of one that is not, only
 * members that are values may be looked at. */
static int read_record(const struct page *page, struct sql_stmt *stmt, struct job_record *ret,
                       bool *ret_is_told, struct err *err)
{
    struct arena *memory = &page->told_jobs->memory;
    const struct arena_mark before = arena_mark(memory);
    int rc = read_column_in(memory, stmt, 0, job_record_schema(), ret, err);

    *ret_is_told =
        rc == 0 && ret->unrecorded != UNRECORDED_ALL && is_of_accounts(page->filter, ret);
    if (!*ret_is_told)
        arena_return(memory, before);
    return rc;
}

static int add_earlier_run(struct page *page, struct err *err)
{
    struct job_record record;
    struct history_job *job;
    bool is_told;
    int rc = read_record(page, page->runs, &record, &is_told, err);

    if (rc < 0 || !is_told)
        return rc;
    rc = add_job(page, &record, &job, err);
    if (rc < 0)
        return rc;
    job->is_earlier_run = true;
    return read_steps(page, job, err);
}

/* Returns 1 if jobs of that id have earlier runs. Most have none, and are not looked for one by
 * one: jobs come by rising ids. */
static int has_runs(struct page *page, uint32_t id, struct err *err)
{
    int rc = 0;

    if (id <= page->next_id)
        return id == page->next_id;
    sql_bind_int64(page->next, 1, id);
    rc = sql_step(page->next, err);
    if (rc > 0)
        page->next_id = sql_int64(page->next, 0);
    sql_reset(page->next);
    return rc < 0 ? rc : id == page->next_id;
}

static int add_earlier_runs(struct page *page, int64_t key, struct err *err)
{
    int rc = 0, step = 0;

    sql_bind_int64(page->runs, 1, key_id(key));
    sql_bind_int64(page->runs, 2, key_first_run(key));
    sql_bind_int64(page->runs, 3, key_last_run(key));
    while (rc == 0 && (step = sql_step(page->runs, err)) > 0)
        rc = add_earlier_run(page, err);
    sql_reset(page->runs);
    return rc < 0 ? rc : step;
}

/* Returns 1 if the job has the number of its last run still, whose steps are that run's. */
static int is_between_runs(const struct page *page, const struct job_record *job, struct err *err)
{
    int rc;

    if (page->next_id != job->id || (job->state != JOB_PENDING && !job_state_is_over(job->state)))
        return 0;
    sql_bind_int64(page->run, 1, job->id);
    sql_bind_int64(page->run, 2, job->launch_number);
    rc = sql_step(page->run, err);
    sql_reset(page->run);
    return rc;
}

/* Drops an earlier job of the same id: as in Slurm, the last one is meant. */
static void drop_namesake(struct page *page, int64_t key)
{
    if (!page->filter->duplicates && page->told_jobs->n && key_id(page->told) == key_id(key))
        page->told_jobs->n--;
}

/* Adds the job of a row. */
static int add_last_run(struct page *page, const struct job_record *record, int64_t key,
                        struct err *err)
{
    struct history_job *job;
    int rc = add_job(page, record, &job, err);

    page->told = key;
    if (rc == 0)
        rc = is_between_runs(page, job->job, err);
    return rc == 0 ? read_steps(page, job, err) : rc;
}

static int add_row(struct page *page, struct sql_stmt *stmt, struct err *err)
{
    struct job_record record;
    const int64_t key = sql_int64(stmt, 1);
    bool is_told;
    int rc = read_record(page, stmt, &record, &is_told, err);

    if (is_told)
        drop_namesake(page, key);
    page->is_full = page->rows_n == STORE_PAGE;
    if (rc < 0 || page->is_full) /* it is of the next page */
        return rc;
    page->rows_n++;
    page->last = key;
    if (record.unrecorded != UNRECORDED_ALL)
        rc = has_runs(page, record.id, err);
    if (rc > 0 && page->filter->duplicates)
        rc = add_earlier_runs(page, key, err);
    if (rc >= 0 && is_told)
        rc = add_last_run(page, &record, key, err);
    return rc < 0 ? rc : 0;
}

static int read_page(struct sql *db, struct sql_stmt *stmt, struct page *page, struct err *err)
{
    int rc = sql_prepare(db, STEPS_SQL, &page->steps, err), step = 0;

    page->bodies = (struct body_shelf){ .db = db, .memory = &page->told_jobs->memory };
    if (rc == 0)
        rc = sql_prepare(db, RUNS_SQL, &page->runs, err);
    if (rc == 0)
        rc = sql_prepare(db, RUN_SQL, &page->run, err);
    if (rc == 0)
        rc = sql_prepare(db, NEXT_SQL, &page->next, err);
    while (rc == 0 && (step = sql_step(stmt, err)) > 0)
        rc = add_row(page, stmt, err);
    sql_finalize(page->steps);
    sql_finalize(page->runs);
    sql_finalize(page->run);
    sql_finalize(page->next);
    body_shelf_clear(&page->bodies);
    return rc < 0 ? rc : step;
}

/* Skips ids before a window of time. Ids and ends rise together, more or less, so the window is
 * looked for from the first id in it on. Only the first page asks the index for that. */
static int skip_earlier(struct sql *db, const struct history_list *filter, uint64_t *after,
                        struct err *err)
{
    struct sql_stmt *stmt;
    int rc;

    if (*after || !filter->from || filter->job_ids_n)
        return 0;
    rc = sql_prepare(db, "SELECT min(`key`) FROM {jobs} WHERE ended >= ?", &stmt, err);
    if (rc < 0)
        return rc;
    sql_bind_int64(stmt, 1, filter->from);
    rc = sql_step(stmt, err);
    if (rc > 0) {
        int64_t first = sql_int64(stmt, 0); /* 0: none */

        *after = first > 0 ? (uint64_t)first - 1 : INT64_MAX;
    }
    sql_finalize(stmt);
    return rc < 0 ? rc : 0;
}

int read_history(struct sql *db, const struct history_list *filter, uint64_t after,
                 struct jobs_page *ret_page, uint64_t *ret_next, struct err *err)
{
    AUTO(strbuf) struct strbuf sql = { 0 };
    struct page page = { .filter = filter, .told_jobs = ret_page };
    struct sql_stmt *stmt;
    int rc;

    write_query(filter, &sql);
    rc = skip_earlier(db, filter, &after, err);
    if (rc == 0)
        rc = sql_prepare(db, strbuf_text(&sql), &stmt, err);
    if (rc < 0)
        return rc;
    bind_query(stmt, filter, after);
    rc = read_page(db, stmt, &page, err);
    sql_finalize(stmt);
    if (rc == 0)
        *ret_next = page.is_full ? (uint64_t)page.last : 0;
    return rc;
}

/* ---- blobs ---- */

/* Reads a piece of the row. All is as of one moment, so no purge changes what the row's number
 * means. */
static int read_row(struct sql *db, struct sql_stmt *stmt, struct blob_chunk *piece,
                    struct err *err)
{
    const int64_t total = sql_int64(stmt, 1);
    const uint8_t *whole = sql_blob(stmt, 2);
    uint32_t left;

    if (total > BLOB_MAX || piece->offset > total)
        return err_set(err, E_STORE, "state database holds a damaged blob");
    piece->total = (uint32_t)total;
    left = piece->total - piece->offset;
    piece->data.n = left < BLOB_CHUNK_MAX ? left : BLOB_CHUNK_MAX;
    if (piece->data.n == 0)
        return 0;
    piece->data.data = xmalloc(piece->data.n);
    if (!whole)
        return sql_read_blob(db, sql_int64(stmt, 0), piece->offset, piece->data.data, piece->data.n,
                             err);
    memcpy(piece->data.data, whole + piece->offset, piece->data.n);
    return 0;
}

int read_blob(struct sql *db, struct blob_chunk *piece, struct err *err)
{
    struct sql_stmt *stmt;
    int rc = sql_prepare(db,
                         "SELECT `rowid`, length(data), CASE WHEN length(data) <= ? THEN data END"
                         " FROM {blobs} WHERE sha256 = ?",
                         &stmt, err);

    if (rc < 0)
        return rc;
    sql_bind_int64(stmt, 1, BLOB_CHUNK_MAX);
    sql_bind_blob(stmt, 2, piece->sha256.data, piece->sha256.n);
    rc = sql_step(stmt, err);
    if (rc > 0)
        rc = read_row(db, stmt, piece, err);
    else if (rc == 0)
        rc = err_set(err, ENOENT, "the state database has no blob of that SHA-256");
    sql_finalize(stmt);
    return rc;
}

/* ---- what a job was submitted with ---- */

static int find_job(struct sql *db, uint32_t id, struct job_record *ret_job, struct err *err)
{
    struct sql_stmt *stmt;
    int rc = sql_prepare(db, "SELECT record FROM {jobs} WHERE id = ? ORDER BY `key` DESC LIMIT 1",
                         &stmt, err);

    if (rc < 0)
        return rc;
    sql_bind_int64(stmt, 1, id);
    rc = sql_step(stmt, err);
    if (rc > 0)
        rc = read_column(stmt, 0, job_record_schema(), ret_job, err);
    else if (rc == 0)
        rc = err_set(err, E_JOB_ID, "%s", err_string(E_JOB_ID));
    sql_finalize(stmt);
    return rc;
}

static int read_named(struct body_reader *bodies, const struct job_record *job, bool environment,
                      struct blob_chunk *piece, struct err *err)
{
    const struct job_body *body;
    const struct blob *sha256;
    int rc = body_read(bodies, job, &body, err);

    if (rc < 0)
        return rc;
    sha256 = environment ? &body->environment_sha256 : &body->script_sha256;
    if (job->spec->kind != JOB_KIND_BATCH || sha256->n != SHA256_BYTES)
        return err_set(err, E_NO_SCRIPT, "%s: job %u has none", err_string(E_NO_SCRIPT), job->id);
    piece->sha256 = blob_copy(sha256);
    return read_blob(bodies->db, piece, err);
}

int read_job_blob(struct sql *db, const struct job_script *ask, uint32_t uid,
                  struct blob_chunk *piece, struct err *err)
{
    AUTO(job_record) struct job_record job;
    struct body_reader bodies;
    int rc;

    job_record_init(&job);
    if ((rc = find_job(db, ask->job_id, &job, err)) < 0)
        return rc;
    if (uid != STORE_ANYBODY && job.uid != uid)
        return err_set(err, EPERM, "job %u is not yours", job.id);
    body_reader_init(&bodies, db);
    rc = read_named(&bodies, &job, ask->environment, piece, err);
    body_reader_clear(&bodies);
    return rc;
}
