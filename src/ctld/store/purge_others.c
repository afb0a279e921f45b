/* purge_others.c - what is too old and is neither jobs nor steps: events, transactions, sums. */
#include <stdlib.h>

#include "common/base/minmax.h"
#include "common/text/period.h"
#include "ctld/store/archive_line.h"
#include "ctld/store/purge_own.h"
#include "ctld/store/reading.h"

#define EVENTS_A_BITE 500  /* and those that ended in one second with the last of them */
#define LOG_A_BITE    1000 /* and those of one turn more */
#define CLOCK_STEP_S  3600 /* a clock may go back so far: then later turns have earlier events */

/* ---- times in which nodes could not be used ---- */

struct events {
    struct cluster_event *at;
    uint32_t n;
};

static void events_clear(struct events *events)
{
    for (uint32_t i = 0; i < events->n; i++)
        cluster_event_clear(&events->at[i]);
    free(events->at);
}

/* Reads those that ended between two moments, both included, and are told still. */
static int read_events_between(struct purge *purge, const int64_t range[2], struct events *ret,
                               struct err *err)
{
    struct sql_stmt *stmt;
    int rc = sql_prepare(
        purge->db, "SELECT record FROM {cluster_events} WHERE until BETWEEN ? AND ?", &stmt, err);
    int step = 0;

    if (rc < 0)
        return rc;
    sql_bind_numbers(stmt, range, 2);
    while (rc == 0 && (step = sql_step(stmt, err)) > 0) {
        struct cluster_event *event = ARRAY_PUSH(ret->at, ret->n);

        cluster_event_init(event);
        rc = read_column(stmt, 0, cluster_event_schema(), event, err);
        if (event->is_purged) {
            cluster_event_clear(event);
            ret->n--;
        }
    }
    sql_finalize(stmt);
    return rc < 0 ? rc : step;
}

/* Writes the event over itself, without what only a list of events tells. */
static int strip_event(struct purge *purge, struct cluster_event *event, struct err *err)
{
    struct blob record;
    struct sql_stmt *stmt;
    int rc = sql_prepare(purge->db,
                         "UPDATE {cluster_events} SET record = ? WHERE node = ? AND since = ?",
                         &stmt, err);

    if (rc < 0)
        return rc;
    event->is_purged = true;
    event->reason_uid = COUNT_UNSET;
    xstrset(&event->reason, NULL);
    xstrset(&event->reason_user, NULL);
    record = schema_encode_blob(cluster_event_schema(), event);
    sql_bind_blob(stmt, 1, record.data, record.n);
    sql_bind_text(stmt, 2, event->node ? event->node : "");
    sql_bind_int64(stmt, 3, event->since);
    rc = sql_run(stmt, err);
    sql_finalize(stmt);
    free(record.data);
    return rc;
}

static int leave_event(struct purge *purge, struct cluster_event *event, struct err *err)
{
    AUTO(strbuf) struct strbuf line = { 0 };
    int rc = 0;

    purge->done.left[ARCHIVE_EVENTS]++;
    if (purge->archives[ARCHIVE_EVENTS]) {
        archive_line_event(&line, event);
        rc = purge_archive(purge, ARCHIVE_EVENTS, &line, err);
    }
    return rc < 0 ? rc : strip_event(purge, event, err);
}

static int note_end(struct purge *purge, struct sql_stmt *stmt, struct err *err)
{
    (void)err;
    purge->last_end = sql_int64(stmt, 0); /* NULL, when there is none, is 0 */
    return 0;
}

int purge_events(struct purge *purge, struct err *err)
{
    const int64_t from = purge->last_end + 1;
    struct events events = { 0 };
    int rc = purge_run(purge,
                       "SELECT max(until) FROM (SELECT until FROM {cluster_events}"
                       " WHERE until >= ? AND until < ? ORDER BY until LIMIT ?) AS piece",
                       (const int64_t[3]){ from, purge->what.events_before, EVENTS_A_BITE },
                       note_end, err);

    if (rc == 0 && purge->last_end == 0) {
        purge_next_phase(purge);
        return 0;
    }
    if (rc == 0)
        rc = read_events_between(purge, (const int64_t[2]){ from, purge->last_end }, &events, err);
    for (uint32_t i = 0; rc == 0 && i < events.n; i++)
        rc = leave_event(purge, &events.at[i], err);
    events_clear(&events);
    return rc;
}

/* ---- the log of events ---- */

/* Notes up to which turn a piece of the log goes, and when it begins. */
static int note_piece(struct purge *purge, struct sql_stmt *stmt, struct err *err)
{
    (void)err;
    purge->last_key = sql_int64(stmt, 0);
    purge->last_end = sql_int64(stmt, 1);
    return 0;
}

static int archive_log(struct purge *purge, struct sql_stmt *stmt, struct err *err)
{
    AUTO(event_record) struct event_record event;
    AUTO(strbuf) struct strbuf line = { 0 };
    const enum archive_kind kind =
        purge->phase == PHASE_TRANSACTIONS ? ARCHIVE_TRANSACTIONS : ARCHIVE_LOG;
    int rc = read_column(stmt, 0, event_record_schema(), &event, err);

    if (rc < 0)
        return rc;
    event.turn = (uint64_t)sql_int64(stmt, 1);
    event.place = (uint32_t)sql_int64(stmt, 2);
    archive_line_log(&line, &event);
    return purge_archive(purge, kind, &line, err);
}

static int leave_log(struct purge *purge, enum archive_kind kind, const int64_t range[3],
                     struct err *err)
{
    AUTO_FREE char *which =
        xasprintf("FROM {events} WHERE turn > ? AND turn <= ? AND time < ? AND kind %s %d",
                  kind == ARCHIVE_TRANSACTIONS ? "=" : "<>", EVENT_ACCOUNTING);
    AUTO_FREE char *read = xasprintf("SELECT record, turn, n %s ORDER BY turn, n", which);
    AUTO_FREE char *remove = xasprintf("DELETE %s", which);
    int rc = 0;

    if (purge->archives[kind])
        rc = purge_run(purge, read, range, archive_log, err);
    if (rc == 0)
        rc = purge_run(purge, remove, range, NULL, err);
    if (rc == 0)
        purge->done.left[kind] += sql_changes(purge->db);
    return rc;
}

/* Goes through the log in its order, which is nearly that of time, as far as it is old. */
int purge_log(struct purge *purge, enum archive_kind kind, int64_t before, struct err *err)
{
    const int64_t from = purge->last_key;
    int rc = 0;

    purge->last_key = 0;
    if (before)
        rc = purge_run(purge,
                       "SELECT max(turn), min(time) FROM (SELECT turn, time FROM {events}"
                       " WHERE turn > ? ORDER BY turn, n LIMIT ?) AS piece",
                       (const int64_t[3]){ from, LOG_A_BITE }, note_piece, err);
    if (rc < 0)
        return rc;
    if (purge->last_key == 0 || purge->last_end > before + CLOCK_STEP_S) {
        purge_next_phase(purge);
        return 0;
    }
    return leave_log(purge, kind, (const int64_t[3]){ from, purge->last_key, before }, err);
}

/* ---- sums ---- */

static int add_more(struct purge *purge, struct job_sum *sum, int64_t owner, struct err *err)
{
    struct sql_stmt *stmt;
    int rc = sql_prepare(purge->db,
                         "SELECT tres, held FROM {sums_more} WHERE period = ? AND at = ?"
                         " AND owner = ? AND cpus = ?",
                         &stmt, err);
    int step = 0;

    if (rc < 0)
        return rc;
    sql_bind_numbers(stmt, (const int64_t[]){ sum->period, sum->at, owner, sum->cpus }, 4);
    while ((step = sql_step(stmt, err)) > 0)
        job_sum_add_more(sum, sql_text(stmt, 0), (uint64_t)sql_int64(stmt, 1));
    sql_finalize(stmt);
    return step;
}

static const char *text_at(struct sql_stmt *stmt, int column)
{
    const char *text = sql_text(stmt, column);

    return text ? text : "";
}

static int archive_sum(struct purge *purge, struct sql_stmt *stmt, struct err *err)
{
    AUTO(strbuf) struct strbuf line = { 0 };
    struct job_sum sum = { .period = purge->last_key,
                           .at = purge->last_end,
                           .account = text_at(stmt, 0),
                           .user = text_at(stmt, 1),
                           .partition = text_at(stmt, 2),
                           .wckey = text_at(stmt, 3),
                           .cpus = (uint32_t)sql_int64(stmt, 5),
                           .began = (uint64_t)sql_int64(stmt, 6),
                           .carried = (uint64_t)sql_int64(stmt, 7),
                           .waited = (uint64_t)sql_int64(stmt, 12) };
    int rc = add_more(purge, &sum, sql_int64(stmt, 4), err);

    for (int i = 0; i < SUM_TRES_N; i++)
        sum.held[i] = (uint64_t)sql_int64(stmt, 8 + i);
    if (rc == 0) {
        archive_line_usage(&line, &sum);
        rc = purge_archive(purge, ARCHIVE_USAGE, &line, err);
    }
    job_sum_clear_more(&sum);
    return rc;
}

/* Lets the sums of one period go: of the hour, day or month that begins at last_end. */
static int leave_sums(struct purge *purge, struct err *err)
{
    const int64_t which[3] = { purge->last_key, purge->last_end };
    int rc = 0;

    if (purge->archives[ARCHIVE_USAGE])
        rc = purge_run(purge,
                       "SELECT o.account, o.user, o.`partition`, o.wckey, s.owner, s.cpus, s.began,"
                       " s.carried, s.cpu, s.mem, s.node, s.billing, s.waited FROM {sums} s"
                       " LEFT JOIN {sum_owners} o ON o.id = s.owner"
                       " WHERE s.period = ? AND s.at = ?",
                       which, archive_sum, err);
    if (rc == 0)
        rc = purge_run(purge, "DELETE FROM {sums_more} WHERE period = ? AND at = ?", which, NULL,
                       err);
    if (rc == 0)
        rc = purge_run(purge, "DELETE FROM {sums} WHERE period = ? AND at = ?", which, NULL, err);
    if (rc == 0)
        purge->done.left[ARCHIVE_USAGE] += sql_changes(purge->db);
    return rc;
}

/* Removes the times of events that were purged, and of which no sums are left. */
static int remove_times(struct purge *purge, struct err *err)
{
    const int64_t before[3] = { MIN(purge->what.events_before,
                                    period_start(PERIOD_MONTH, purge->what.usage_before)) };

    purge_next_phase(purge);
    return purge_run(purge, "DELETE FROM {cluster_events} WHERE until < ?", before, NULL, err);
}

/* last_key is the period whose rows are looked at. */
int purge_usage(struct purge *purge, struct err *err)
{
    const enum period period = (enum period)purge->last_key;
    const int64_t before = purge->what.usage_before;
    int rc;

    if (!before) {
        purge_next_phase(purge);
        return 0;
    }
    if (period == PERIODS_N)
        return remove_times(purge, err);
    rc = purge_run(purge, "SELECT min(at) FROM {sums} WHERE period = ? AND at < ?",
                   (const int64_t[3]){ period, period_start(period, before) }, note_end, err);
    if (rc < 0)
        return rc;
    if (purge->last_end)
        return leave_sums(purge, err);
    purge->last_key++;
    return 0;
}
