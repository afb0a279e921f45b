/* events.c - what happened: reading the table of events. */
#include <string.h>

#include "common/text/hostlist.h"
#include "ctld/store/body.h"
#include "ctld/store/inside.h"

/* How many seconds a clock may go back: then events of an earlier second are in a later turn. */
#define CLOCK_STEP_S 3600

static int decode(struct sql_stmt *stmt, int column, const struct schema *schema, void *ret,
                  struct err *err)
{
    return schema_decode(schema, sql_blob(stmt, column), sql_bytes(stmt, column), ret, err);
}

/* ---- where a moment begins ---- */

/* Reads the time of the first event of this turn or a later one; INT64_MAX: there is none. */
static int time_from(struct sql *db, int64_t turn, int64_t *ret, struct err *err)
{
    struct sql_stmt *stmt;
    int rc = sql_prepare(db, "SELECT time FROM {events} WHERE turn >= ? ORDER BY turn, n LIMIT 1",
                         &stmt, err);

    if (rc < 0)
        return rc;
    sql_bind_int64(stmt, 1, turn);
    rc = sql_step(stmt, err);
    *ret = rc > 0 ? sql_int64(stmt, 0) : INT64_MAX;
    sql_finalize(stmt);
    return rc < 0 ? rc : 0;
}

/* Finds the first turn with events since then. Turns and times rise together, so no index over
 * times is needed. */
static int first_turn_since(struct sql *db, int64_t since, uint64_t *ret, struct err *err)
{
    int64_t low = 0, high;
    int rc = sql_number(db, "SELECT ifnull(max(turn), 0) FROM {events}", &high, err);

    while (rc == 0 && low < high) {
        const int64_t middle = low + (high - low) / 2;
        int64_t time = INT64_MIN;

        rc = time_from(db, middle, &time, err);
        if (time >= since - CLOCK_STEP_S)
            high = middle;
        else
            low = middle + 1;
    }
    *ret = (uint64_t)low;
    return rc;
}

/* ---- which are meant ---- */

static bool is_of_jobs(const struct event_list *filter, const struct event_record *event)
{
    for (uint32_t i = 0; i < filter->job_ids_n; i++) {
        if (event->job_id == filter->job_ids[i] || event->array_job_id == filter->job_ids[i])
            return event->job_id != 0;
    }
    return filter->job_ids_n == 0;
}

static bool is_of_nodes(const struct hostlist *wanted, const struct event_record *event)
{
    AUTO(hostlist) struct hostlist *nodes = NULL;

    if (!wanted)
        return true;
    if (!event->nodes || hostlist_parse(event->nodes, &nodes, NULL) < 0)
        return false;
    for (uint32_t i = 0; i < hostlist_count(nodes); i++) {
        if (hostlist_find(wanted, hostlist_get(nodes, i)) >= 0)
            return true;
    }
    return false;
}

/* ---- a page ---- */

/* Prepares the statement that gives the events behind page->next, or on the way back before it. The
 * turn is asked for alone, too: not every engine finds a row's place by two columns. */
static int prepare_page(struct sql *db, const struct event_list *filter,
                        const struct event_page *page, struct sql_stmt **ret, struct err *err)
{
    AUTO_FREE char *kind = filter->kind ? xasprintf(" AND kind = %u", filter->kind) : xstrdup("");
    const struct event_place *next = &page->next;
    const bool from_end = next->back && !page->is_begun;
    AUTO_FREE char *sql =
        xasprintf(next->back ? "SELECT record, turn, n FROM {events} WHERE turn <= ?"
                               " AND (turn, n) < (?, ?)%s ORDER BY turn DESC, n DESC"
                               " LIMIT ?"
                             : "SELECT record, turn, n FROM {events} WHERE turn >= ?"
                               " AND (turn, n) > (?, ?)%s ORDER BY turn, n LIMIT ?",
                  kind);
    int64_t turn;
    int rc = sql_prepare(db, sql, ret, err);

    if (rc < 0)
        return rc;
    /* A first page has looked at nothing: the place before the first event of its turn. */
    turn = from_end ? INT64_MAX : (int64_t)next->turn;
    sql_bind_numbers(
        *ret, (int64_t[]){ turn, turn, page->is_begun ? (int64_t)next->n : -1, STORE_PAGE }, 4);
    return 0;
}

int read_events(struct sql *db, const struct event_list *filter, struct event_page *page,
                struct err *err)
{
    AUTO(hostlist) struct hostlist *nodes = NULL;
    struct sql_stmt *stmt;
    uint32_t looked = 0;
    int rc = 0, step = 0;

    if (page->next.turn == 0 && filter->since && !page->next.back)
        rc = first_turn_since(db, filter->since, &page->next.turn, err);
    if (rc == 0 && filter->nodes)
        rc = hostlist_parse(filter->nodes, &nodes, err);
    if (rc == 0)
        rc = prepare_page(db, filter, page, &stmt, err);
    if (rc < 0)
        return rc;
    while (rc == 0 && (step = sql_step(stmt, err)) > 0) {
        struct event_record event;

        looked++;
        page->is_begun = true;
        page->next.turn = (uint64_t)sql_int64(stmt, 1);
        page->next.n = (uint32_t)sql_int64(stmt, 2);
        rc = decode(stmt, 0, event_record_schema(), &event, err);
        if (rc == 0 && event.time_ms / 1000 >= filter->since && is_of_jobs(filter, &event) &&
            is_of_nodes(nodes, &event)) {
            event.turn = page->next.turn;
            event.place = page->next.n;
            *ARRAY_PUSH(page->events, page->n) = event;
        } else if (rc == 0) {
            event_record_clear(&event);
        }
    }
    sql_finalize(stmt);
    page->is_last = looked < STORE_PAGE;
    return rc < 0 ? rc : step;
}

/* ---- jobs that ended ---- */

static int tell_ended(struct body_reader *bodies, struct sql_stmt *stmt, store_ended_fn *on_ended,
                      void *ctx, struct err *err)
{
    AUTO(job_record) struct job_record job;
    const struct job_body *body;
    int rc = 0;

    job_record_init(&job);
    if (sql_bytes(stmt, 0) > 0)
        rc = decode(stmt, 0, job_record_schema(), &job, err);
    if (rc < 0 || !job.id)
        return rc;
    rc = body_read(bodies, &job, &body, err);
    if (rc == 0)
        on_ended(&job, body, (uint64_t)sql_int64(stmt, 1), ctx);
    return rc;
}

int store_each_ended(struct store *store, uint64_t after_turn, store_ended_fn *on_ended, void *ctx,
                     struct err *err)
{
    AUTO_FREE char *sql = xasprintf(
        "SELECT CASE kind WHEN %d THEN (SELECT record FROM {jobs} WHERE"
        " `key` = (e.job_id << %d | e.run >> %d)) ELSE (SELECT record FROM {runs}"
        " WHERE job_id = e.job_id AND run = e.run) END, turn FROM {events} e"
        " WHERE turn > ? AND kind IN (%d, %d) ORDER BY turn, n",
        EVENT_JOB_ENDED, JOB_ROUND_BITS, JOB_RUN_BITS, EVENT_JOB_ENDED, EVENT_JOB_REQUEUED);
    struct body_reader bodies;
    struct sql_stmt *stmt;
    int rc = sql_prepare(store->writer_db, sql, &stmt, err), step = 0;

    if (rc < 0)
        return rc;
    body_reader_init(&bodies, store->writer_db);
    sql_bind_int64(stmt, 1, (int64_t)after_turn);
    while (rc == 0 && (step = sql_step(stmt, err)) > 0)
        rc = tell_ended(&bodies, stmt, on_ended, ctx, err);
    body_reader_clear(&bodies);
    sql_finalize(stmt);
    return rc < 0 ? rc : step;
}
