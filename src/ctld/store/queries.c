/* queries.c - the reader's thread: history, blobs and what is alive, on a connection of its own. */
#include <string.h>
#include <utlist.h>

#include "common/msg/move.h"
#include "common/msg/types.h"
#include "ctld/store/inside.h"
#include "ctld/store/sums.h"
#include "ctld/store/utilization.h"

struct query {
    struct query *next;
    struct history_list filter;
    uint64_t after, next_page;
    struct blob_chunk piece;    /* of a blob; asked for by its name and offset */
    struct job_script job_blob; /* or else by its job, when that is not 0 */
    uint32_t uid;
    struct event_list events;
    struct event_page event_page;
    const struct store_loader *loader;
    uint64_t turn;
    void *rows_request; /* of the message type rows_type */
    uint32_t rows_type, rows_n;
    void *rows;
    int64_t now;
    store_rows_fn *on_rows; /* one of these is set */
    uint64_t log_after, log_from;
    struct turn_changes *log;
    uint32_t log_n;
    bool copy_begins;
    struct turn_changes piece_copied;
    uint64_t copy_turn;
    store_log_fn *on_log;
    store_copy_fn *on_copy;
    store_history_fn *on_history;
    store_events_fn *on_events;
    store_alive_fn *on_alive;
    store_blob_fn *on_blob;
    void *ctx;
    uint32_t asker;
    int rc;
    struct err err;
    struct jobs_page history;
};

void queries_init(struct queries *queries)
{
    queries->last = &queries->first;
}

static void push_query(struct queries *queries, struct query *query)
{
    query->next = NULL;
    *queries->last = query;
    queries->last = &query->next;
}

static struct query *pop_query(struct queries *queries)
{
    struct query *query = queries->first;

    if (query) {
        queries->first = query->next;
        if (!queries->first)
            queries->last = &queries->first;
    }
    return query;
}

/* A user who asks. Users are answered by turns, a question each: one who asks for everything a
 * thousand times waits for his own answers, while others wait for one of his. */
struct asker {
    uint32_t uid;
    struct queries queries; /* never empty */
    struct asker *next;
};

static void push_asked(struct store *store, struct query *query)
{
    struct asker *asker;

    LL_SEARCH_SCALAR(store->askers, asker, uid, query->asker);
    if (!asker) {
        asker = xcalloc(1, sizeof(*asker));
        asker->uid = query->asker;
        queries_init(&asker->queries);
        LL_APPEND(store->askers, asker);
    }
    push_query(&asker->queries, query);
}

/* Takes out the next query; NULL: nobody asks. */
static struct query *pop_asked(struct store *store)
{
    struct asker *asker = store->askers;
    struct query *query;

    if (!asker)
        return NULL;
    LL_DELETE(store->askers, asker);
    query = pop_query(&asker->queries);
    if (asker->queries.first)
        LL_APPEND(store->askers, asker);
    else
        free(asker);
    return query;
}

static int read_alive_now(struct sql *db, struct query *query)
{
    int64_t turn = 0;
    int rc = db_last_turn(db, &turn, &query->err);

    if (rc == 0)
        rc = read_alive(db, query->loader, query->ctx, &query->err);
    query->turn = (uint64_t)turn;
    return rc;
}

static int read_copy(struct store *store, struct query *query)
{
    struct store_bodies which;
    struct sql *db;
    int rc = 0;

    pthread_mutex_lock(&store->mutex);
    which = store->outgoing_wish.bodies;
    pthread_mutex_unlock(&store->mutex);
    if (query->copy_begins || !store->copying) {
        store->copying = copying_free(store->copying);
        rc = store_open_reader(store, &db, &query->err);
        if (rc == 0)
            rc = copying_new(db, &which, &store->copying, &query->err);
    }
    if (rc == 0)
        rc = copying_next(store->copying, &query->piece_copied, &query->copy_turn, &query->err);
    if (rc < 0 || query->copy_turn)
        store->copying = copying_free(store->copying);
    return rc;
}

static int read_sums(struct sql *db, struct query *query)
{
    struct sum_info *rows = NULL;
    int rc = sums_read(db, query->rows_request, query->now, &rows, &query->rows_n, &query->err);

    query->rows = rows;
    return rc;
}

static int read_utilization(struct sql *db, struct query *query)
{
    struct utilization_info *rows = NULL;
    int rc =
        utilization_read(db, query->rows_request, query->now, &rows, &query->rows_n, &query->err);

    query->rows = rows;
    return rc;
}

static int read_cluster_events(struct sql *db, struct query *query)
{
    struct cluster_event *rows = NULL;
    int rc =
        cluster_events_read(db, query->rows_request, false, &rows, &query->rows_n, &query->err);

    query->rows = rows;
    return rc;
}

static int read_counts(struct sql *db, struct query *query)
{
    struct history_counts *counts = xcalloc(1, sizeof(*counts));
    const struct {
        uint64_t *ret;
        const char *sql;
    } numbers[] = {
        { &counts->jobs, "SELECT count(*) FROM {jobs}" },
        { &counts->runs, "SELECT count(*) FROM {runs}" },
        { &counts->steps, "SELECT count(*) FROM {steps}" },
        { &counts->events, "SELECT count(*) FROM {cluster_events}" },
        { &counts->periods, "SELECT count(*) FROM (SELECT DISTINCT period, at FROM {sums}) p" },
        { &counts->cpu_s, "SELECT ifnull(sum(cpu), 0) FROM {sums} WHERE period = 2 AND owner > 0" },
    };
    int rc = 0;

    history_counts_init(counts);
    query->rows = counts;
    query->rows_n = 1;
    for (size_t i = 0; rc == 0 && i < ARRAY_N(numbers); i++) {
        int64_t number = 0;

        rc = sql_number(db, numbers[i].sql, &number, &query->err);
        *numbers[i].ret = (uint64_t)number;
    }
    return rc;
}

struct row_reader {
    uint32_t type, row_type; /* messages: what is asked, what answers */
    int (*read)(struct sql *db, struct query *query);
};

static const struct row_reader *row_reader_of(uint32_t type)
{
    static const struct row_reader readers[] = {
        { MSG_SUMS_LIST, MSG_SUM_INFO, read_sums },
        { MSG_UTILIZATION_LIST, MSG_UTILIZATION_INFO, read_utilization },
        { MSG_CLUSTER_EVENT_LIST, MSG_CLUSTER_EVENT, read_cluster_events },
        { MSG_HISTORY_COUNT_LIST, MSG_HISTORY_COUNTS, read_counts },
    };

    for (size_t i = 0; i < ARRAY_N(readers); i++) {
        if (readers[i].type == type)
            return &readers[i];
    }
    abort(); /* a bug: nobody reads such rows */
}

/* Reads as of one turn. */
static int read_query(struct sql *db, struct query *query)
{
    if (query->on_log)
        return outgoing_read(db, query->log_after, &query->log, &query->log_n, &query->log_from,
                             &query->err);
    if (query->on_rows)
        return row_reader_of(query->rows_type)->read(db, query);
    if (query->on_alive)
        return read_alive_now(db, query);
    if (query->job_blob.job_id)
        return read_job_blob(db, &query->job_blob, query->uid, &query->piece, &query->err);
    if (query->on_events)
        return read_events(db, &query->events, &query->event_page, &query->err);
    if (query->on_blob)
        return read_blob(db, &query->piece, &query->err);
    return read_history(db, &query->filter, query->after, &query->history, &query->next_page,
                        &query->err);
}

static void answer(struct store *store, struct query *query)
{
    if (query->on_copy) { /* which has a connection of its own */
        query->rc = read_copy(store, query);
        return;
    }
    query->rc = sql_begin_reading(store->reader_db, &query->err);
    if (query->rc < 0)
        return;
    query->rc = read_query(store->reader_db, query);
    sql_rollback(store->reader_db);
}

void *store_queries_main(void *arg)
{
    struct store *store = arg;

    pthread_mutex_lock(&store->mutex);
    for (;;) {
        struct query *query;

        while (!store->askers && !store->stopping)
            pthread_cond_wait(&store->queries_work, &store->mutex);
        if (store->stopping)
            break;
        query = pop_asked(store);
        pthread_mutex_unlock(&store->mutex);
        answer(store, query);
        pthread_mutex_lock(&store->mutex);
        push_query(&store->answered, query);
        store_notify(store);
    }
    pthread_mutex_unlock(&store->mutex);
    return NULL;
}

/* ---- the owner's side ---- */

static void ask(struct store *store, uint32_t asker, struct query *query)
{
    query->asker = asker;
    pthread_mutex_lock(&store->mutex);
    push_asked(store, query);
    pthread_cond_signal(&store->queries_work);
    pthread_mutex_unlock(&store->mutex);
}

void store_history(struct store *store, uint32_t asker, const struct history_list *filter,
                   uint64_t after, store_history_fn *on_done, void *ctx)
{
    struct query *query = xcalloc(1, sizeof(*query));

    schema_copy(history_list_schema(), &query->filter, filter);
    query->after = after;
    query->on_history = on_done;
    query->ctx = ctx;
    ask(store, asker, query);
}

void store_events(struct store *store, uint32_t asker, const struct event_list *filter,
                  struct event_place after, store_events_fn *on_done, void *ctx)
{
    struct query *query = xcalloc(1, sizeof(*query));

    schema_copy(event_list_schema(), &query->events, filter);
    query->event_page.next = after;
    query->event_page.is_begun = after.turn != 0;
    query->on_events = on_done;
    query->ctx = ctx;
    ask(store, asker, query);
}

void store_blob(struct store *store, uint32_t asker, const uint8_t sha256[SHA256_BYTES],
                uint32_t offset, store_blob_fn *on_done, void *ctx)
{
    struct query *query = xcalloc(1, sizeof(*query));

    query->piece.sha256 = (struct blob){ xmemdup(sha256, SHA256_BYTES), SHA256_BYTES };
    query->piece.offset = offset;
    query->on_blob = on_done;
    query->ctx = ctx;
    ask(store, asker, query);
}

void store_job_blob(struct store *store, uint32_t asker, const struct job_script *ask_for,
                    uint32_t uid, store_blob_fn *on_done, void *ctx)
{
    struct query *query = xcalloc(1, sizeof(*query));

    query->job_blob = *ask_for;
    query->uid = uid;
    query->on_blob = on_done;
    query->ctx = ctx;
    ask(store, asker, query);
}

void store_log(struct store *store, uint64_t after, store_log_fn *on_done, void *ctx)
{
    struct query *query = xcalloc(1, sizeof(*query));

    query->log_after = after;
    query->on_log = on_done;
    query->ctx = ctx;
    ask(store, 0, query);
}

void store_copy(struct store *store, bool begins, store_copy_fn *on_done, void *ctx)
{
    struct query *query = xcalloc(1, sizeof(*query));

    query->copy_begins = begins;
    query->on_copy = on_done;
    query->ctx = ctx;
    ask(store, 0, query);
}

void store_alive(struct store *store, const struct store_loader *loader, store_alive_fn *on_done,
                 void *ctx)
{
    struct query *query = xcalloc(1, sizeof(*query));

    query->loader = loader;
    query->on_alive = on_done;
    query->ctx = ctx;
    ask(store, 0, query);
}

uint32_t store_row_type(uint32_t type)
{
    return row_reader_of(type)->row_type;
}

void store_rows_free(uint32_t row_type, void *rows, uint32_t n)
{
    const struct schema *schema = msg_schema(row_type);

    for (uint32_t i = 0; rows && i < n; i++)
        schema_clear(schema, (char *)rows + i * schema->size);
    free(rows);
}

void store_rows(struct store *store, uint32_t asker, uint32_t type, const void *request,
                int64_t now, store_rows_fn *on_done, void *ctx)
{
    struct query *query = xcalloc(1, sizeof(*query));

    query->rows_type = type;
    query->rows_request = xmalloc(msg_schema(type)->size);
    schema_copy(msg_schema(type), query->rows_request, request);
    query->now = now;
    query->on_rows = on_done;
    query->ctx = ctx;
    ask(store, asker, query);
}

static void clear_rows(struct query *query)
{
    if (!query->rows_request)
        return;
    schema_clear(msg_schema(query->rows_type), query->rows_request);
    free(query->rows_request);
    store_rows_free(store_row_type(query->rows_type), query->rows, query->rows_n);
}

static void finish_query(struct query *query, bool tell)
{
    const struct err *err = query->rc < 0 ? &query->err : NULL;

    if (tell && query->on_log)
        query->on_log(query->log, query->log_n, query->log_from, err, query->ctx);
    else if (tell && query->on_copy)
        query->on_copy(&query->piece_copied, query->copy_turn, err, query->ctx);
    else if (tell && query->on_rows)
        query->on_rows(STEAL(query->rows), query->rows_n, err, query->ctx);
    else if (tell && query->on_alive)
        query->on_alive(query->turn, err, query->ctx);
    else if (tell && query->on_blob)
        query->on_blob(&query->piece, err, query->ctx);
    else if (tell && query->on_events)
        query->on_events(STEAL(query->event_page.events), query->event_page.n,
                         query->event_page.next, query->event_page.is_last, err, query->ctx);
    else if (tell)
        query->on_history(&query->history, query->next_page, err, query->ctx);
    clear_rows(query);
    arena_clear(&query->history.memory);
    for (uint32_t i = 0; query->event_page.events && i < query->event_page.n; i++)
        event_record_clear(&query->event_page.events[i]);
    free(query->event_page.events);
    for (uint32_t i = 0; i < query->log_n; i++)
        turn_changes_clear(&query->log[i]);
    free(query->log);
    turn_changes_clear(&query->piece_copied);
    event_list_clear(&query->events);
    blob_chunk_clear(&query->piece);
    history_list_clear(&query->filter);
    free(query);
}

void store_queries_dispatch(struct store *store)
{
    for (;;) {
        struct query *query;

        pthread_mutex_lock(&store->mutex);
        query = pop_query(&store->answered);
        pthread_mutex_unlock(&store->mutex);
        if (!query)
            return;
        finish_query(query, true);
    }
}

void store_queries_clear(struct store *store)
{
    struct query *query;

    while ((query = pop_asked(store)) || (query = pop_query(&store->answered)))
        finish_query(query, false);
}
