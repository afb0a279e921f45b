/* write.c - one change into the tables. */
#include "ctld/store/db.h"

#include <stdlib.h>

#include "common/msg/cluster_event.h"
#include "common/msg/event.h"
#include "ctld/store/amend.h"
#include "ctld/store/merge.h"
#include "ctld/store/sums.h"
#include "ctld/store/sums_rest.h"

enum write_kind {
    WRITE_JOB,
    WRITE_RETIRE,
    WRITE_FORGET_JOB,
    WRITE_FORGET_STEPS,
    WRITE_STEP,
    WRITE_RUN,
    WRITE_KEPT,
    WRITE_KEPT_GONE,
    WRITE_BLOB,
    WRITE_NUMBER,
    WRITE_EVENT,
    WRITE_CLUSTER_EVENT,
    WRITES_N,
    WRITE_NOTHING = WRITES_N,
};

/* The statements, whose parameters are bound by position. */
static const char *const statements[WRITES_N] = {
    [WRITE_JOB] =
        "INSERT INTO {jobs} (id, alive, uid, state, submitted, ended, name, `partition`, record,"
        " array_id, run, `key`) VALUES (?, 1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
        " {+or_update} alive=1, uid={+new uid}, state={+new state},"
        " submitted={+new submitted}, ended={+new ended}, name={+new name},"
        " `partition`={+new `partition`}, record={+new record}, array_id={+new array_id},"
        " run={+new run}",
    [WRITE_RETIRE] = "UPDATE {jobs} SET alive=? WHERE `key`=?",
    [WRITE_FORGET_JOB] = "DELETE FROM {jobs} WHERE `key`=?",
    [WRITE_FORGET_STEPS] = "DELETE FROM {steps} WHERE job_id=? AND run BETWEEN ? AND ?",
    [WRITE_STEP] = "REPLACE INTO {steps} (job_id, run, step_id, record) VALUES (?, ?, ?, ?)",
    [WRITE_RUN] = "REPLACE INTO {runs} (job_id, run, record) VALUES (?, ?, ?)",
    [WRITE_KEPT] = "REPLACE INTO {kept} (kind, `key`, record) VALUES (?, ?, ?)",
    [WRITE_EVENT] = "REPLACE INTO {events} VALUES (?, ?, ?, ?, ?, ?, ?)",
    [WRITE_CLUSTER_EVENT] = "REPLACE INTO {cluster_events} VALUES (?, ?, ?, ?)",
    [WRITE_KEPT_GONE] = "DELETE FROM {kept} WHERE kind=? AND `key`=?",
    [WRITE_BLOB] = "INSERT INTO {blobs} (sha256, data) VALUES (?, ?) {+if_new sha256}",
    [WRITE_NUMBER] = "REPLACE INTO {numbers} (name, number) VALUES (?, ?)",
};

struct writer {
    struct sql *db;
    bool marks;
    bool does_not_count; /* see writer_count */
    uint64_t turn;       /* being written, */
    uint32_t events_n;   /* so many of its events are */
    struct sums *sums;
    struct sql_stmt *stmts[WRITES_N];
    struct sql_stmt *last_turn;
};

int writer_new(struct sql *db, struct writer **ret, struct err *err)
{
    struct writer *writer = xcalloc(1, sizeof(*writer));

    int rc = sums_new(db, &writer->sums, err);

    writer->db = db;
    for (int i = 0; rc == 0 && i < WRITES_N; i++)
        rc = sql_prepare(db, statements[i], &writer->stmts[i], err);
    if (rc == 0)
        rc =
            sql_prepare(db, "SELECT number FROM {numbers} WHERE name = ?", &writer->last_turn, err);
    if (rc < 0) {
        writer_free(writer);
        return rc;
    }
    *ret = writer;
    return 0;
}

struct writer *writer_free(struct writer *writer)
{
    for (int i = 0; writer && i < WRITES_N; i++)
        sql_finalize(writer->stmts[i]);
    if (writer) {
        sql_finalize(writer->last_turn);
        sums_free(writer->sums);
    }
    free(writer);
    return NULL;
}

void writer_mark(struct writer *writer, bool on)
{
    writer->marks = on;
}

/* Notes a name in a table that the purge has made. */
static int note_name(struct writer *writer, const char *sql, const struct blob *sha256,
                     bool *ret_is_new, struct err *err)
{
    struct sql_stmt *stmt;
    int rc = sql_prepare(writer->db, sql, &stmt, err);

    if (rc < 0)
        return rc;
    sql_bind_blob(stmt, 1, sha256->data, sha256->n);
    rc = sql_step(stmt, err);
    sql_finalize(stmt);
    *ret_is_new = sql_changes(writer->db) > 0;
    return rc;
}

int writer_mark_blob(struct writer *writer, const struct blob *sha256, struct err *err)
{
    bool is_new;

    if (!sha256->n)
        return 0;
    return note_name(writer, "INSERT INTO {named} (sha256) VALUES (?) {+if_new sha256}", sha256,
                     &is_new, err);
}

/* Marks a body and follows it unless that was done already, as for most. A body that was only put
 * is marked as a blob, but nobody has looked yet at what it names. */
int writer_mark_body(struct writer *writer, const struct blob *sha256, struct err *err)
{
    AUTO(job_body) struct job_body body;
    struct sql_stmt *stmt;
    bool is_new = false;
    int rc = writer_mark_blob(writer, sha256, err);

    job_body_init(&body);
    if (rc == 0 && sha256->n)
        rc = note_name(writer, "INSERT INTO {followed} (sha256) VALUES (?) {+if_new sha256}",
                       sha256, &is_new, err);
    if (rc < 0 || !is_new)
        return rc;
    rc = sql_prepare(writer->db, "SELECT data FROM {blobs} WHERE sha256 = ?", &stmt, err);
    if (rc < 0)
        return rc;
    sql_bind_blob(stmt, 1, sha256->data, sha256->n);
    rc = sql_step(stmt, err);
    if (rc > 0)
        rc = schema_decode(job_body_schema(), sql_blob(stmt, 0), sql_bytes(stmt, 0), &body, err);
    sql_finalize(stmt);
    if (rc >= 0)
        rc = writer_mark_blob(writer, &body.script_sha256, err);
    return rc < 0 ? rc : writer_mark_blob(writer, &body.environment_sha256, err);
}

static void bind_blob(struct sql_stmt *stmt, int at, const struct blob *blob)
{
    sql_bind_blob(stmt, at, blob->data, blob->n);
}

/*
 * Binds a job. What can be searched for stands in columns of its own; the record stays the truth.
 */
static int bind_job(struct sql_stmt *stmt, const struct change *change,
                    const struct job_record *job)
{
    int64_t ended = job_state_is_over(job->state) ? job->end_time : INT64_MAX;

    sql_bind_int64(stmt, 1, job->id);
    sql_bind_int64(stmt, 2, job->uid);
    sql_bind_int64(stmt, 3, job->state);
    sql_bind_int64(stmt, 4, job->submit_time);
    sql_bind_int64(stmt, 5, ended);
    sql_bind_text(stmt, 6, job->spec->name);
    sql_bind_text(stmt, 7, job->partition);
    bind_blob(stmt, 8, &change->record);
    sql_bind_int64(stmt, 9, job->array_job_id);
    sql_bind_int64(stmt, 10, job->launch_number);
    sql_bind_int64(stmt, 11, key_of(job->id, job->launch_number));
    return WRITE_JOB;
}

/* Numbers are kept as such, so that rows of a kind lie in their order. */
static void bind_key(struct sql_stmt *stmt, int at, const struct change *change)
{
    const struct kept_kind *kind = kept_kind_find(change->kept);

    if (kind && (kind->flags & KEPT_NUMBERED))
        sql_bind_ordinal(stmt, at, strtoll(change->name, NULL, 10));
    else
        sql_bind_text(stmt, at, change->name);
}

static int bind_kept(struct sql_stmt *const *stmts, const struct change *change)
{
    const int kind = change->record.n ? WRITE_KEPT : WRITE_KEPT_GONE;

    sql_bind_int64(stmts[kind], 1, change->kept);
    bind_key(stmts[kind], 2, change);
    if (change->record.n)
        bind_blob(stmts[kind], 3, &change->record);
    return kind;
}

/* Its place in its turn is part of its key: turns are not written twice. */
static int write_event(struct writer *writer, const struct change *change, struct err *err)
{
    AUTO(event_record) struct event_record event;
    struct sql_stmt *stmt = writer->stmts[WRITE_EVENT];
    int rc =
        schema_decode(event_record_schema(), change->record.data, change->record.n, &event, err);

    if (rc < 0)
        return rc;
    sql_bind_int64(stmt, 1, (int64_t)writer->turn);
    sql_bind_int64(stmt, 2, writer->events_n++);
    sql_bind_int64(stmt, 3, (event.came_ms ? event.came_ms : event.time_ms) / 1000);
    sql_bind_int64(stmt, 4, event.kind);
    sql_bind_int64(stmt, 5, event.job_id);
    sql_bind_int64(stmt, 6, event.run);
    bind_blob(stmt, 7, &change->record);
    return sql_run(stmt, err);
}

/* Its key is what it is about and when it began: as it is now takes the place of how it was. */
static int write_cluster_event(struct writer *writer, const struct change *change, struct err *err)
{
    AUTO(cluster_event) struct cluster_event event;
    struct sql_stmt *stmt = writer->stmts[WRITE_CLUSTER_EVENT];
    int rc =
        schema_decode(cluster_event_schema(), change->record.data, change->record.n, &event, err);

    if (rc < 0)
        return rc;
    sql_bind_text(stmt, 1, event.node ? event.node : "");
    sql_bind_int64(stmt, 2, event.since);
    sql_bind_int64(stmt, 3, event.until ? event.until : INT64_MAX);
    bind_blob(stmt, 4, &change->record);
    return sql_run(stmt, err);
}

/* Removes the steps of a job that leaves memory, if the history does not keep them. */
static int forget_steps(struct writer *writer, const struct change *change, struct err *err)
{
    const int64_t key = key_of(change->job_id, change->run);
    struct sql_stmt *stmt = writer->stmts[WRITE_FORGET_STEPS];

    if (change->kind != CHANGE_JOB_RETIRE || change->unrecorded == UNRECORDED_NOTHING)
        return 0;
    sql_bind_numbers(stmt, (int64_t[]){ key_id(key), key_first_run(key), key_last_run(key) }, 3);
    return sql_run(stmt, err);
}

static int bind_retire(struct sql_stmt *const *stmts, const struct change *change)
{
    const int kind = change->unrecorded == UNRECORDED_ALL ? WRITE_FORGET_JOB : WRITE_RETIRE;

    int at = 1;

    if (kind == WRITE_RETIRE)
        sql_bind_int64(stmts[kind], at++, change->goes_on ? ALIVE_IN_HISTORY : 0);
    sql_bind_int64(stmts[kind], at, key_of(change->job_id, change->run));
    return kind;
}

static int bind_run(struct sql_stmt *stmt, const struct change *change)
{
    if (change->unrecorded == UNRECORDED_ALL)
        return WRITE_NOTHING;
    sql_bind_int64(stmt, 1, change->job_id);
    sql_bind_int64(stmt, 2, change->run);
    bind_blob(stmt, 3, &change->record);
    return WRITE_RUN;
}

static int bind_change(struct writer *writer, const struct change *change, struct job_record *job)
{
    struct sql_stmt **stmts = writer->stmts;

    switch (change->kind) {
    case CHANGE_JOB:
        return bind_job(stmts[WRITE_JOB], change, job);
    case CHANGE_JOB_RETIRE:
        return bind_retire(stmts, change);
    case CHANGE_STEP:
        sql_bind_int64(stmts[WRITE_STEP], 1, change->job_id);
        sql_bind_int64(stmts[WRITE_STEP], 2, change->run);
        sql_bind_int64(stmts[WRITE_STEP], 3, change->step_id);
        bind_blob(stmts[WRITE_STEP], 4, &change->record);
        return WRITE_STEP;
    case CHANGE_RUN:
        return bind_run(stmts[WRITE_RUN], change);
    case CHANGE_BLOB:
        bind_blob(stmts[WRITE_BLOB], 1, &change->sha256);
        bind_blob(stmts[WRITE_BLOB], 2, &change->record);
        return WRITE_BLOB;
    case CHANGE_NUMBER:
        sql_bind_text(stmts[WRITE_NUMBER], 1, change->name);
        sql_bind_int64(stmts[WRITE_NUMBER], 2, change->number);
        return WRITE_NUMBER;
    case CHANGE_KEPT:
        return bind_kept(stmts, change);
    case CHANGE_PURGE: /* store_purge is told, with what it needs here */
        return WRITE_NOTHING;
    default:
        return -E_PROTO;
    }
}

int writer_apply_change(struct writer *writer, const struct change *change, struct err *err)
{
    AUTO(job_record) struct job_record job;
    int kind, rc = 0;

    job_record_init(&job);
    if (change->kind == CHANGE_EVENT)
        return write_event(writer, change, err);
    if (change->kind == CHANGE_CLUSTER_EVENT)
        return write_cluster_event(writer, change, err);
    if (change->kind == CHANGE_AMEND)
        return amend_write(writer->db, writer->sums, change, err);
    if (change->kind == CHANGE_SUMS_WHOLE)
        return sums_rest_write(writer->db, writer->sums, change, err);
    if (change->kind == CHANGE_JOB || change->kind == CHANGE_RUN) {
        rc = schema_decode(job_record_schema(), change->record.data, change->record.n, &job, err);
        if (rc >= 0 && !writer->does_not_count && change->unrecorded != UNRECORDED_ALL)
            rc = sums_add(writer->sums, change, &job, err);
    }
    if (rc == 0)
        rc = forget_steps(writer, change, err);
    if (rc < 0)
        return rc;
    kind = bind_change(writer, change, &job);
    if (kind < 0)
        return err_set(err, E_PROTO, "change of unknown kind %u", change->kind);
    if (kind == WRITE_NOTHING)
        return 0;
    rc = sql_run(writer->stmts[kind], err);
    if (rc == 0 && kind == WRITE_BLOB && writer->marks)
        rc = writer_mark_blob(writer, &change->sha256, err);
    if (rc == 0 && kind == WRITE_JOB && writer->marks)
        rc = writer_mark_body(writer, &job.body_sha256, err);
    return rc;
}

int writer_apply(struct writer *writer, const struct turn_changes *turn, struct err *err)
{
    int rc = 0;

    writer->turn = turn->turn;
    writer->events_n = 0;
    if (turn->merge)
        return merge_apply(writer->db, writer, turn, err);
    for (uint32_t i = 0; rc == 0 && i < turn->changes_n; i++)
        rc = writer_apply_change(writer, &turn->changes[i], err);
    return rc;
}

void writer_forget(struct writer *writer)
{
    sums_forget(writer->sums);
}

void writer_count(struct writer *writer, bool on)
{
    writer->does_not_count = !on;
}

void writer_add_sum(struct writer *writer, const struct job_sum *sum)
{
    sums_add_row(writer->sums, sum);
}

int writer_finish_sums(struct writer *writer, struct err *err)
{
    return sums_write(writer->sums, err);
}

int writer_finish(struct writer *writer, uint64_t turn, struct err *err)
{
    int rc = sums_write(writer->sums, err);

    return rc < 0 ? rc : writer_note_turn(writer, turn, err);
}

int writer_note_turn(struct writer *writer, uint64_t turn, struct err *err)
{
    const struct change change = { .kind = CHANGE_NUMBER,
                                   .name = (char *)(uintptr_t)TURN_NAME,
                                   .number = (int64_t)turn };

    return writer_apply_change(writer, &change, err);
}

int writer_last_turn(struct writer *writer, int64_t *ret, struct err *err)
{
    int rc;

    sql_bind_text(writer->last_turn, 1, TURN_NAME);
    rc = sql_step(writer->last_turn, err);
    *ret = rc > 0 ? sql_int64(writer->last_turn, 0) : 0;
    sql_reset(writer->last_turn);
    return rc < 0 ? rc : 0;
}
