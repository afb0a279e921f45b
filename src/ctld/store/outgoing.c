#include "ctld/store/outgoing.h"

#include <inttypes.h>
#include <string.h>

#include "ctld/store/reading.h"

#define LOG_FROM "log_from" /* all turns behind this one are in the log; no number: no log */

struct outgoing {
    struct sql *db;
    struct sql_stmt *add;
    bool is_kept;  /* there is a log */
    uint64_t from; /* LOG_FROM */
};

/* ---- what it may see ---- */

/* Returns whether a slurmdbd is told of the change: of jobs that are recorded and what became of
 * them, but of no script and no environment, and nothing that is the controller's own. It is told
 * of the body of a job that is not recorded, which a later job may share that is. */
static bool is_seen(const struct change *change)
{
    switch (change->kind) {
    case CHANGE_JOB:
    case CHANGE_JOB_RETIRE:
    case CHANGE_RUN:
        return change->unrecorded != UNRECORDED_ALL;
    case CHANGE_STEP:
        return change->unrecorded == UNRECORDED_NOTHING;
    case CHANGE_CLUSTER_EVENT:
    case CHANGE_AMEND:
        return true;
    case CHANGE_KEPT:
        return change->kept == KEPT_USAGE;
    case CHANGE_BLOB:
        return change->is_body;
    default:
        return false;
    }
}

/* Gathers the changes that are seen; they stay the turn's. A job's body has come as a blob before,
 * so its end is told without. */
static void seen_of(const struct turn_changes *turn, struct turn_changes *ret)
{
    turn_changes_init(ret);
    ret->turn = turn->turn;
    for (uint32_t i = 0; i < turn->changes_n; i++) {
        struct change *change;

        if (!is_seen(&turn->changes[i]))
            continue;
        change = ARRAY_PUSH(ret->changes, ret->changes_n);
        *change = turn->changes[i];
        change->body = (struct blob){ 0 };
    }
}

/* ---- writing ---- */

static int read_from(struct sql *db, uint64_t *ret, struct err *err)
{
    int64_t number = 0;
    int rc =
        sql_number(db, "SELECT ifnull(max(number), -1) FROM {numbers} WHERE name = '" LOG_FROM "'",
                   &number, err);

    *ret = (uint64_t)number; /* -1 is UINT64_MAX */
    return rc;
}

int outgoing_new(struct sql *db, struct outgoing **ret, struct err *err)
{
    struct outgoing *outgoing = xcalloc(1, sizeof(*outgoing));
    int rc = read_from(db, &outgoing->from, err);

    outgoing->db = db;
    outgoing->is_kept = outgoing->from != UINT64_MAX;
    if (rc == 0)
        rc = sql_prepare(db, "INSERT INTO {outgoing} (turn, changes) VALUES (?, ?)", &outgoing->add,
                         err);
    if (rc < 0)
        outgoing_free(outgoing);
    else
        *ret = outgoing;
    return rc;
}

struct outgoing *outgoing_free(struct outgoing *outgoing)
{
    if (outgoing)
        sql_finalize(outgoing->add);
    free(outgoing);
    return NULL;
}

bool outgoing_is_kept(const struct outgoing *outgoing)
{
    return outgoing->is_kept;
}

static int set_from(struct outgoing *outgoing, uint64_t from, struct err *err)
{
    AUTO_FREE char *forget = xasprintf("DELETE FROM {outgoing} WHERE turn <= %" PRIu64, from);
    AUTO_FREE char *note = xasprintf(
        "REPLACE INTO {numbers} (name, number) VALUES ('" LOG_FROM "', %" PRIu64 ")", from);
    int rc = sql_exec(outgoing->db, forget, err);

    outgoing->from = from;
    return rc < 0 ? rc : sql_exec(outgoing->db, note, err);
}

static int drop_log(struct outgoing *outgoing, struct err *err)
{
    int rc = sql_exec(outgoing->db, "DELETE FROM {outgoing}", err);

    outgoing->is_kept = false;
    return rc < 0
               ? rc
               : sql_exec(outgoing->db, "DELETE FROM {numbers} WHERE name = '" LOG_FROM "'", err);
}

static int add_turn(struct outgoing *outgoing, const struct turn_changes *turn, struct err *err)
{
    AUTO(strbuf) struct strbuf bytes = { 0 };
    struct turn_changes seen;

    seen_of(turn, &seen);
    if (seen.changes_n == 0)
        return 0;
    schema_encode(turn_changes_schema(), &seen, &bytes);
    free(seen.changes);
    sql_bind_int64(outgoing->add, 1, (int64_t)turn->turn);
    sql_bind_blob(outgoing->add, 2, bytes.data, bytes.len);
    return sql_run(outgoing->add, err);
}

int outgoing_write(struct outgoing *outgoing, const struct outgoing_wish *wish,
                   const struct turn_changes *turns, uint32_t n, struct err *err)
{
    int rc = 0;

    if (!wish->is_kept)
        return outgoing->is_kept ? drop_log(outgoing, err) : 0;
    if (!outgoing->is_kept)
        rc = set_from(outgoing, turns[0].turn - 1, err);
    else if (wish->told > outgoing->from)
        rc = set_from(outgoing, wish->told, err);
    outgoing->is_kept = true;
    for (uint32_t i = 0; rc == 0 && i < n; i++)
        rc = add_turn(outgoing, &turns[i], err);
    return rc;
}

/* ---- reading ---- */

#define PAGE_TURNS 500
#define PAGE_BYTES (1u << 20)

static int read_turn(struct sql_stmt *stmt, struct turn_changes *ret, struct err *err)
{
    int rc = schema_decode(turn_changes_schema(), sql_blob(stmt, 0), sql_bytes(stmt, 0), ret, err);

    return rc < 0 ? err_prefix(err, "state database: its log for slurmdbd is damaged") : 0;
}

static int read_page(struct sql_stmt *stmt, struct turn_changes **ret_turns, uint32_t *ret_n,
                     struct err *err)
{
    uint32_t bytes = 0;
    int rc = 0, step = 0;

    while (rc == 0 && *ret_n < PAGE_TURNS && bytes < PAGE_BYTES &&
           (step = sql_step(stmt, err)) > 0) {
        bytes += (uint32_t)sql_bytes(stmt, 0);
        rc = read_turn(stmt, ARRAY_PUSH(*ret_turns, *ret_n), err);
        if (rc < 0)
            (*ret_n)--; /* what was not read is empty */
    }
    return step < 0 ? step : rc;
}

int outgoing_read(struct sql *db, uint64_t after, struct turn_changes **ret_turns, uint32_t *ret_n,
                  uint64_t *ret_from, struct err *err)
{
    struct sql_stmt *stmt = NULL;
    int rc = read_from(db, ret_from, err);

    if (rc == 0)
        rc = sql_prepare(db, "SELECT changes FROM {outgoing} WHERE turn > ? ORDER BY turn", &stmt,
                         err);
    if (rc == 0) {
        sql_bind_int64(stmt, 1, (int64_t)after);
        rc = read_page(stmt, ret_turns, ret_n, err);
    }
    sql_finalize(stmt);
    return rc;
}

/* ---- copying ---- */

#define COPY_JOBS 200 /* in a piece */

enum phase { PHASE_OTHERS, PHASE_JOBS, PHASE_OVER };

struct copying {
    struct sql *db; /* in a transaction that sees one turn */
    uint64_t turn;
    enum phase phase;
    int64_t last_key;
    struct sql_stmt *jobs, *runs, *steps, *body;
};

int copying_new(struct sql *db, struct copying **ret, struct err *err)
{
    struct copying *copying = xcalloc(1, sizeof(*copying));
    int64_t turn = 0;
    int rc = sql_begin_reading(db, err);

    copying->db = db;
    if (rc == 0)
        rc = db_last_turn(copying->db, &turn, err); /* from here on it sees only this one */
    if (rc == 0)
        rc = sql_prepare(copying->db,
                         "SELECT `key`, id, alive, run, ended, record FROM {jobs} WHERE `key` > ?"
                         " ORDER BY `key` LIMIT ?",
                         &copying->jobs, err);
    if (rc == 0)
        rc = sql_prepare(copying->db,
                         "SELECT run, record FROM {runs} WHERE job_id = ? AND run BETWEEN ? AND ?",
                         &copying->runs, err);
    if (rc == 0)
        rc = sql_prepare(copying->db,
                         "SELECT run, record, step_id FROM {steps} WHERE job_id = ?"
                         " AND run BETWEEN ? AND ?",
                         &copying->steps, err);
    if (rc == 0)
        rc = sql_prepare(copying->db, "SELECT data FROM {blobs} WHERE sha256 = ?", &copying->body,
                         err);
    copying->turn = (uint64_t)turn;
    if (rc < 0)
        copying_free(copying);
    else
        *ret = copying;
    return rc;
}

struct copying *copying_free(struct copying *copying)
{
    if (!copying)
        return NULL;
    sql_finalize(copying->jobs);
    sql_finalize(copying->runs);
    sql_finalize(copying->steps);
    sql_finalize(copying->body);
    sql_close(copying->db);
    free(copying);
    return NULL;
}

static struct change *add(struct turn_changes *piece, enum change_kind kind)
{
    struct change *change = ARRAY_PUSH(piece->changes, piece->changes_n);

    change_init(change);
    change->kind = kind;
    return change;
}

static struct blob column(struct sql_stmt *stmt, int at)
{
    const struct blob bytes = { (uint8_t *)(uintptr_t)sql_blob(stmt, at),
                                (uint32_t)sql_bytes(stmt, at) };

    return blob_copy(&bytes);
}

/* Adds usage and events of nodes, of which there are few. */
static int copy_others(struct copying *copying, struct turn_changes *ret, struct err *err)
{
    struct sql_stmt *stmt;
    int rc = sql_prepare(copying->db,
                         "SELECT ?, `key`, record FROM {kept} WHERE kind = ?"
                         " UNION ALL SELECT ?, '', record FROM {cluster_events}",
                         &stmt, err);
    int step;

    copying->phase = PHASE_JOBS;
    if (rc < 0)
        return rc;
    sql_bind_int64(stmt, 1, CHANGE_KEPT);
    sql_bind_int64(stmt, 2, KEPT_USAGE);
    sql_bind_int64(stmt, 3, CHANGE_CLUSTER_EVENT);
    while ((step = sql_step(stmt, err)) > 0) {
        struct change *change = add(ret, (enum change_kind)sql_int64(stmt, 0));

        change->kept = change->kind == CHANGE_KEPT ? KEPT_USAGE : 0;
        change->name = xstrdup(sql_text(stmt, 1));
        change->record = column(stmt, 2);
    }
    sql_finalize(stmt);
    return step;
}

/* Adds the rows of a job that `stmt` finds: its runs, or its steps. */
static int copy_rows(struct sql_stmt *stmt, enum change_kind kind, int64_t key,
                     struct turn_changes *ret, struct err *err)
{
    int step;

    sql_bind_int64(stmt, 1, key_id(key));
    sql_bind_int64(stmt, 2, key_first_run(key));
    sql_bind_int64(stmt, 3, key_last_run(key));
    while ((step = sql_step(stmt, err)) > 0) {
        struct change *change = add(ret, kind);

        change->job_id = key_id(key);
        change->run = (uint32_t)sql_int64(stmt, 0);
        change->record = column(stmt, 1);
        if (kind == CHANGE_STEP)
            change->step_id = (uint32_t)sql_int64(stmt, 2);
    }
    sql_reset(stmt);
    return step;
}

static int copy_body(struct copying *copying, const struct blob *sha256, struct turn_changes *ret,
                     struct err *err)
{
    struct change *change;
    int rc;

    if (sha256->n == 0)
        return 0;
    sql_bind_blob(copying->body, 1, sha256->data, sha256->n);
    rc = sql_step(copying->body, err);
    if (rc > 0) {
        change = add(ret, CHANGE_BLOB);
        change->is_body = true;
        change->sha256 = blob_copy(sha256);
        change->record = column(copying->body, 0);
    }
    sql_reset(copying->body);
    return rc < 0 ? rc : 0;
}

/* Adds the job of a row, behind its body, runs and steps, as they were noted. */
static int copy_parts(struct copying *copying, const struct job_record *job, int64_t key,
                      struct turn_changes *ret, struct err *err)
{
    int rc = copy_body(copying, &job->body_sha256, ret, err);

    if (rc == 0)
        rc = copy_rows(copying->runs, CHANGE_RUN, key, ret, err);
    if (rc == 0 && job->unrecorded == UNRECORDED_NOTHING)
        rc = copy_rows(copying->steps, CHANGE_STEP, key, ret, err);
    return rc;
}

static int copy_job(struct copying *copying, struct turn_changes *ret, struct err *err)
{
    AUTO(job_record) struct job_record job;
    struct sql_stmt *stmt = copying->jobs;
    const int64_t key = sql_int64(stmt, 0);
    struct change *change;
    int rc = read_column(stmt, 5, job_record_schema(), &job, err);

    copying->last_key = key;
    if (rc < 0 || job.unrecorded == UNRECORDED_ALL)
        return rc;
    rc = copy_parts(copying, &job, key, ret, err);
    change = add(ret, CHANGE_JOB);
    change->record = column(stmt, 5);
    change->job_id = key_id(key);
    change->run = (uint32_t)sql_int64(stmt, 3);
    change->is_end = sql_int64(stmt, 4) != INT64_MAX;
    if (sql_int64(stmt, 2)) /* it is alive */
        return rc;
    change = add(ret, CHANGE_JOB_RETIRE);
    change->job_id = key_id(key);
    change->run = job.launch_number;
    change->unrecorded = job.unrecorded;
    return rc;
}

static int copy_jobs(struct copying *copying, struct turn_changes *ret, struct err *err)
{
    uint32_t n = 0;
    int rc = 0, step = 0;

    sql_bind_int64(copying->jobs, 1, copying->last_key);
    sql_bind_int64(copying->jobs, 2, COPY_JOBS);
    while (rc == 0 && (step = sql_step(copying->jobs, err)) > 0) {
        rc = copy_job(copying, ret, err);
        n++;
    }
    sql_reset(copying->jobs);
    if (n < COPY_JOBS)
        copying->phase = PHASE_OVER;
    return rc < 0 ? rc : step;
}

int copying_next(struct copying *copying, struct turn_changes *ret, uint64_t *ret_turn,
                 struct err *err)
{
    int rc = 0;

    turn_changes_init(ret);
    if (copying->phase == PHASE_OTHERS)
        rc = copy_others(copying, ret, err);
    else if (copying->phase == PHASE_JOBS)
        rc = copy_jobs(copying, ret, err);
    *ret_turn = copying->phase == PHASE_OVER ? copying->turn : 0;
    if (rc < 0)
        turn_changes_clear(ret);
    return rc;
}
