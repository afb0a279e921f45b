#include "ctld/store/intake.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/crypt/crypt.h"
#include "ctld/store/archive_line.h"
#include "ctld/store/archive_reader.h"
#include "ctld/store/ledger.h"
#include "ctld/store/there.h"

#define LINES_A_BITE   500 /* that are read */
#define RECORDS_A_BITE 200 /* that come */

enum phase { PHASE_BEGIN, PHASE_READ, PHASE_TAKE, PHASE_OVER };

struct intake {
    struct sql *db;
    struct writer *writer;
    char *path;
    struct archive_head head;
    bool is_trial;
    bool is_foreign; /* the records left another database */
    enum phase phase;
    struct archive_reader reader;
    uint64_t left;  /* so many of the file are gone from the tables, UINT64_MAX: all */
    uint64_t taken; /* so many have come before */
    struct store_loaded done;
};

struct intake *intake_new(struct sql *db, struct writer *writer, int fd, const char *path,
                          struct archive_head *head, bool is_trial)
{
    struct intake *intake = xcalloc(1, sizeof(*intake));

    intake->db = db;
    intake->writer = writer;
    intake->path = xstrdup(path);
    intake->head = *head;
    *head = (struct archive_head){ 0 };
    intake->is_trial = is_trial;
    archive_reader_init(&intake->reader, fd);
    return intake;
}

struct intake *intake_free(struct intake *intake)
{
    if (!intake)
        return NULL;
    archive_reader_clear(&intake->reader);
    archive_head_clear(&intake->head);
    free(intake->path);
    free(intake);
    return NULL;
}

const struct store_loaded *intake_result(const struct intake *intake)
{
    return &intake->done;
}

/* ---- reading all of it ---- */

/* Returns whether the ledger must know what has come, for it is not seen from the tables. */
static bool counts(const struct intake *intake)
{
    return intake->head.kind == ARCHIVE_USAGE ||
           (intake->head.kind == ARCHIVE_JOBS && intake->is_foreign);
}

/* Of another database, what has a place in this one that does not depend on what else is there. */
static int check_source(const struct intake *intake, struct err *err)
{
    const enum archive_kind kind = intake->head.kind;

    if (!intake->is_foreign || kind == ARCHIVE_JOBS || kind == ARCHIVE_STEPS ||
        kind == ARCHIVE_EVENTS)
        return 0;
    return err_set(err, EINVAL, "it has left another database, and can only come back there%s",
                   kind == ARCHIVE_USAGE ? ": here jobs that are loaded are summed" : "");
}

static int begin(struct intake *intake, struct err *err)
{
    uint64_t store;
    int rc = ledger_store(intake->db, &store, err);

    if (rc < 0)
        return rc;
    intake->is_foreign = intake->head.store != store;
    rc = check_source(intake, err);
    intake->left = UINT64_MAX;
    if (rc == 0 && counts(intake))
        rc = ledger_read(intake->db, LEDGER_TAKEN, intake->head.number, &intake->taken, err);
    if (rc == 0)
        rc = archive_reader_rewind(&intake->reader, err);
    intake->phase++;
    return rc;
}

/* Without a last line the purge that wrote the file may have been interrupted: then the ledger says
 * how much of it counts. Behind that stands what never left. */
static int judge_end(struct intake *intake, struct err *err)
{
    uint64_t left = 0;
    int rc = 0;

    if (intake->reader.has_end)
        return 0;
    if (!intake->is_foreign)
        rc = ledger_read(intake->db, LEDGER_LEFT, intake->head.number, &left, err);
    if (rc < 0)
        return rc;
    if (left == 0 || intake->reader.records < left)
        return err_set(err, EINVAL, "it is cut: its last line is missing");
    intake->left = left;
    return 0;
}

static int fail_at_line(const struct intake *intake, struct err *err)
{
    return err_prefix(err, "line %" PRIu64, intake->reader.line);
}

static int read_lines(struct intake *intake, struct err *err)
{
    const char *line;
    size_t n;
    int rc = 1;

    for (int i = 0; i < LINES_A_BITE && rc > 0; i++) {
        AUTO(archived) struct archived archived;

        archived_init(&archived);
        rc = archive_reader_next(&intake->reader, &line, &n, err);
        if (rc > 0 && archive_line_parse(intake->head.kind, line, n, &archived, err) < 0)
            rc = fail_at_line(intake, err);
    }
    if (rc != 0)
        return rc < 0 ? rc : 0;
    rc = judge_end(intake, err);
    intake->done.records =
        intake->left < intake->reader.records ? intake->left : intake->reader.records;
    if (rc == 0)
        rc = archive_reader_rewind(&intake->reader, err);
    intake->phase = intake->is_trial ? PHASE_OVER : PHASE_TAKE;
    return rc;
}

/* ---- jobs and steps ---- */

static struct change *add_change(struct turn_changes *turn, enum change_kind kind,
                                 const struct job_record *job)
{
    struct change *change = ARRAY_PUSH(turn->changes, turn->changes_n);

    change_init(change);
    change->kind = kind;
    change->job_id = job->id;
    change->run = job->launch_number;
    return change;
}

/* Notes the body under the name that the record has for it. One that has none stays so: of a job of
 * long ago. */
static void note_body(struct turn_changes *turn, struct archived *archived)
{
    struct change *change;
    uint8_t sha256[SHA256_BYTES];

    if (!archived->job.body_sha256.n)
        return;
    crypt_sha256(archived->body.data, archived->body.n, sha256);
    if (archived->job.body_sha256.n != SHA256_BYTES ||
        memcmp(archived->job.body_sha256.data, sha256, SHA256_BYTES) != 0) {
        free(archived->job.body_sha256.data);
        archived->job.body_sha256 = (struct blob){ xmemdup(sha256, SHA256_BYTES), SHA256_BYTES };
    }
    change = add_change(turn, CHANGE_BLOB, &archived->job);
    change->sha256 = blob_copy(&archived->job.body_sha256);
    change->record = archived->body;
    change->is_body = true;
    archived->body = (struct blob){ 0 };
}

/* Writes a job as its end and retirement, or as the run that it was. */
static int write_job(struct intake *intake, struct archived *archived, bool is_counted,
                     struct err *err)
{
    const struct job_record *job = &archived->job;
    struct turn_changes turn;
    struct change *change;
    int rc;

    turn_changes_init(&turn);
    note_body(&turn, archived);
    change = add_change(&turn, archived->is_earlier_run ? CHANGE_RUN : CHANGE_JOB, job);
    change->record = schema_encode_blob(job_record_schema(), job);
    change->is_end = true;
    if (!archived->is_earlier_run)
        add_change(&turn, CHANGE_JOB_RETIRE, job);
    writer_count(intake->writer, is_counted);
    rc = writer_apply(intake->writer, &turn, err);
    writer_count(intake->writer, true);
    turn_changes_clear(&turn);
    return rc;
}

/* Notes what is there as passed over; else returns 1. */
static int is_lacking(struct intake *intake, int there)
{
    intake->done.other += there == THERE_OTHER;
    intake->done.were_there += there == THERE_YES;
    return there < 0 ? there : there == THERE_NOT;
}

static int take_job(struct intake *intake, struct archived *archived, bool is_counted,
                    struct err *err)
{
    const struct job_record *job = &archived->job;
    const int rc = is_lacking(intake, archived->is_earlier_run
                                          ? there_run(intake->db, job->id, job->launch_number, err)
                                          : there_job(intake->db, job, err));

    if (rc <= 0)
        return rc;
    intake->done.came++;
    if (job->id > intake->done.highest_job)
        intake->done.highest_job = job->id;
    if (job->launch_number > intake->done.highest_run)
        intake->done.highest_run = job->launch_number;
    return write_job(intake, archived, is_counted && intake->is_foreign, err);
}

static int take_step(struct intake *intake, const struct step_record *step, struct err *err)
{
    struct job_record job = { .id = step->job_id, .launch_number = step->launch_number };
    struct turn_changes turn;
    struct change *change;
    int rc = there_job_number(intake->db, step->job_id, step->launch_number, err);

    if (rc > 0)
        rc = there_step(intake->db, step->job_id, step->launch_number, step->step_id, err);
    else if (rc == 0)
        rc = THERE_OTHER;
    rc = is_lacking(intake, rc);
    if (rc <= 0)
        return rc;
    intake->done.came++;
    turn_changes_init(&turn);
    change = add_change(&turn, CHANGE_STEP, &job);
    change->step_id = step->step_id;
    change->record = schema_encode_blob(step_record_schema(), step);
    rc = writer_apply(intake->writer, &turn, err);
    turn_changes_clear(&turn);
    return rc;
}

/* ---- events ---- */

static int take_event(struct intake *intake, const struct cluster_event *event, struct err *err)
{
    struct turn_changes turn;
    struct change *change;
    int rc = is_lacking(intake, there_event(intake->db, event, err));

    if (rc <= 0)
        return rc;
    intake->done.came++;
    turn_changes_init(&turn);
    change = ARRAY_PUSH(turn.changes, turn.changes_n);
    change_init(change);
    change->kind = CHANGE_CLUSTER_EVENT;
    change->record = schema_encode_blob(cluster_event_schema(), event);
    rc = writer_apply(intake->writer, &turn, err);
    turn_changes_clear(&turn);
    return rc;
}

static int take_log(struct intake *intake, struct event_record *event, struct err *err)
{
    const int64_t place[] = { (int64_t)event->turn, event->place };
    struct blob record;
    struct sql_stmt *stmt;
    int rc = is_lacking(intake, there_log(intake->db, event->turn, event->place, err));

    if (rc <= 0)
        return rc;
    rc = sql_prepare(intake->db, "INSERT INTO {events} VALUES (?, ?, ?, ?, ?, ?, ?)", &stmt, err);
    if (rc < 0)
        return rc;
    event->turn = 0; /* as they are kept, which is in columns */
    event->place = 0;
    record = schema_encode_blob(event_record_schema(), event);
    sql_bind_numbers(stmt,
                     (int64_t[]){ place[0], place[1], event->time_ms / 1000, event->kind,
                                  event->job_id, event->run },
                     6);
    sql_bind_blob(stmt, 7, record.data, record.n);
    rc = sql_run(stmt, err);
    sql_finalize(stmt);
    free(record.data);
    intake->done.came++;
    return rc;
}

/* ---- a bite ---- */

static int take(struct intake *intake, struct archived *archived, struct err *err)
{
    const bool is_new = intake->reader.records > intake->taken;

    switch (intake->head.kind) {
    case ARCHIVE_JOBS:
        return take_job(intake, archived, is_new, err);
    case ARCHIVE_STEPS:
        return take_step(intake, &archived->step, err);
    case ARCHIVE_EVENTS:
        return take_event(intake, &archived->event, err);
    case ARCHIVE_LOG:
    case ARCHIVE_TRANSACTIONS:
        return take_log(intake, &archived->log, err);
    default:
        if (is_new)
            writer_add_sum(intake->writer, archived->sum);
        intake->done.came += is_new;
        intake->done.were_there += !is_new;
        return 0;
    }
}

/* Takes some records. Returns 1 where there may be more. */
static int take_some(struct intake *intake, struct err *err)
{
    const char *line;
    size_t n;
    int rc = 1;

    for (int i = 0; i < RECORDS_A_BITE && rc > 0; i++) {
        AUTO(archived) struct archived archived;

        archived_init(&archived);
        if (intake->reader.records >= intake->left)
            return 0;
        rc = archive_reader_next(&intake->reader, &line, &n, err);
        if (rc <= 0)
            return rc;
        if (archive_line_parse(intake->head.kind, line, n, &archived, err) < 0)
            return fail_at_line(intake, err);
        rc = take(intake, &archived, err) < 0 ? -1 : 1;
    }
    return rc;
}

static int take_records(struct intake *intake, struct err *err)
{
    const int more = take_some(intake, err);
    int rc = more < 0 ? more : writer_finish_sums(intake->writer, err);

    if (rc == 0 && counts(intake) && intake->reader.records > intake->taken) {
        rc =
            ledger_note(intake->db, LEDGER_TAKEN, intake->head.number, intake->reader.records, err);
        intake->taken = intake->reader.records;
    }
    if (more == 0)
        intake->phase = PHASE_OVER;
    return rc;
}

static int do_phase(struct intake *intake, struct err *err)
{
    switch (intake->phase) {
    case PHASE_BEGIN:
        return begin(intake, err);
    case PHASE_READ:
        return read_lines(intake, err);
    case PHASE_TAKE:
        return take_records(intake, err);
    default:
        return 0;
    }
}

int intake_bite(struct intake *intake, struct err *err)
{
    int rc = sql_begin(intake->db, err);

    if (rc == 0)
        rc = do_phase(intake, err);
    if (rc == 0)
        rc = sql_commit(intake->db, err);
    if (rc == 0)
        return intake->phase != PHASE_OVER;
    sql_rollback(intake->db);
    writer_forget(intake->writer);
    return err_prefix(err, "%s", intake->path);
}
