/*
 * controller_doubles.h - what stands around the controller's dispatcher while it is fuzzed, beside
 * session_doubles.h: a store in memory, names of made-up users, programs that never run.
 */
#pragma once

#include <sys/eventfd.h>

#include "common/authc/authc.h"
#include "common/msg/types.h"
#include "common/names/names.h"
#include "controller_messages.h"
#include "ctld/dispatch/conn.h"
#include "session_doubles.h"

/* ---- the store: what it is given must be what it could load ---- */

struct double_query {
    store_history_fn *on_history;
    store_rows_fn *on_rows;
    store_blob_fn *on_blob;
    uint32_t offset;
    store_events_fn *on_events;
    struct event_place after;
    const struct store_loader *loader;
    store_alive_fn *on_alive;
    void *ctx;
    struct double_query *next;
};

/* What was handed in in this story, in order. */
struct double_change {
    uint64_t turn;
    struct change change;
};

struct store {
    uint64_t handed, committed;
    bool lags, in_trouble;
    struct double_query *queries;
    struct double_change *changes;
    uint32_t changes_n;
};

static struct store double_store;

static const struct schema *record_schema(const struct change *change)
{
    switch (change->kind) {
    case CHANGE_JOB:
    case CHANGE_RUN:
        return job_record_schema();
    case CHANGE_STEP:
        return step_record_schema();
    case CHANGE_EVENT:
        return event_record_schema();
    case CHANGE_PURGE:
        return purge_record_schema();
    case CHANGE_KEPT:
        FUZZ_CHECK(kept_kind_find(change->kept) && change->name && *change->name);
        return kept_kind_find(change->kept)->schema();
    default:
        return NULL;
    }
}

/* NULL: it was not handed in. */
static const struct blob *find_blob(const struct store *store, const struct blob *sha256)
{
    for (uint32_t i = 0; i < store->changes_n; i++) {
        const struct change *change = &store->changes[i].change;

        if (change->kind == CHANGE_BLOB && change->sha256.n == sha256->n &&
            memcmp(change->sha256.data, sha256->data, sha256->n) == 0)
            return &change->record;
    }
    return NULL;
}

/* The body that the record names was handed in with it, or before. */
static void load_job(const struct store *store, struct job_record *job,
                     const struct store_loader *loader, void *ctx)
{
    const struct blob *bytes = find_blob(store, &job->body_sha256);
    AUTO(job_body) struct job_body body;

    job_body_init(&body);
    FUZZ_CHECK(bytes);
    FUZZ_CHECK(schema_decode(job_body_schema(), bytes->data, bytes->n, &body, NULL) == 0);
    loader->on_job(job, &body, ctx);
}

/* Loads the record; without a loader it is only looked whether it could be. */
static void load_change(const struct store *store, const struct change *change,
                        const struct store_loader *loader, void *ctx)
{
    const struct schema *schema = record_schema(change);
    AUTO_FREE void *record = schema ? xcalloc(1, schema->size) : NULL;
    struct err err = { 0 };

    if (!schema || (change->kind == CHANGE_KEPT && change->record.n == 0)) /* it is gone */
        return;
    if (schema_decode(schema, change->record.data, change->record.n, record, &err) < 0) {
        fprintf(stderr, "change of kind %u, job %u, kept, and not to be read again: %s\n",
                (unsigned)change->kind, change->job_id, err.text);
        abort();
    }
    if (loader && change->kind == CHANGE_JOB)
        load_job(store, record, loader, ctx);
    else if (loader && change->kind == CHANGE_STEP)
        loader->on_step(record, ctx);
    else if (loader && change->kind == CHANGE_KEPT)
        loader->on_kept(kept_kind_find(change->kept), record, ctx);
    schema_clear(schema, record);
}

static bool replaces(const struct change *later, const struct change *change)
{
    if (later->kind == CHANGE_JOB_RETIRE)
        return later->job_id == change->job_id && change->kind != CHANGE_KEPT;
    return later->kind == change->kind && later->job_id == change->job_id &&
           later->step_id == change->step_id && later->kept == change->kept &&
           (change->kind != CHANGE_KEPT || strcmp(later->name, change->name) == 0);
}

static bool is_last(const struct store *store, uint32_t i)
{
    for (uint32_t later = i + 1; later < store->changes_n; later++)
        if (store->changes[later].turn <= store->committed &&
            replaces(&store->changes[later].change, &store->changes[i].change))
            return false;
    return store->changes[i].turn <= store->committed;
}

/* What is committed, kind by kind as the database gives it. */
static void load_alive(const struct store *store, const struct store_loader *loader, void *ctx)
{
    static const uint32_t kinds[] = { CHANGE_KEPT, CHANGE_JOB, CHANGE_STEP };

    for (size_t kind = 0; kind < ARRAY_N(kinds); kind++)
        for (uint32_t i = 0; i < store->changes_n; i++)
            if (store->changes[i].change.kind == kinds[kind] && is_last(store, i))
                load_change(store, &store->changes[i].change, loader, ctx);
}

static void double_store_forget(struct store *store)
{
    for (uint32_t i = 0; i < store->changes_n; i++)
        change_clear(&store->changes[i].change);
    free(store->changes);
    *store = (struct store){ 0 };
}

void store_commit(struct store *store, struct turn_changes *changes)
{
    FUZZ_CHECK(changes->turn == store->handed + 1);
    store->handed = changes->turn;
    for (uint32_t i = 0; i < changes->changes_n; i++) {
        load_change(store, &changes->changes[i], NULL, NULL);
        *ARRAY_PUSH(store->changes, store->changes_n) =
            (struct double_change){ changes->turn, changes->changes[i] };
    }
    changes->changes_n = 0; /* they are the store's */
    turn_changes_clear(changes);
    if (!store->lags)
        store->committed = store->handed;
}

uint64_t store_number(const struct store *store)
{
    (void)store;
    return 1;
}

int store_fd(const struct store *store)
{
    static int fd = -1;

    (void)store;
    if (fd < 0)
        fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    return fd;
}

/* Of each committed turn one event is kept, however many there were. */
static void end_events_query(const struct double_query *query)
{
    struct event_place place = query->after;
    struct event_record *event;

    if (place.turn >= double_store.committed) {
        query->on_events(NULL, 0, place, true, NULL, query->ctx);
        return;
    }
    event = xcalloc(1, sizeof(*event));
    event_record_init(event);
    event->kind = EVENT_REQUEST;
    event->turn = ++place.turn;
    event->owner_uid = 1000 + place.turn % 2;
    event->job_id = (uint32_t)place.turn % 8;
    query->on_events(event, 1, place, place.turn == double_store.committed, NULL, query->ctx);
}

#define DOUBLE_PIECE 7

static void end_blob_query(const struct double_query *query)
{
    uint8_t name[SHA256_BYTES] = { 1 };
    struct blob_chunk piece = { .sha256 = { name, SHA256_BYTES },
                                .total = double_script.n,
                                .offset = query->offset };

    FUZZ_CHECK(piece.offset <= piece.total);
    piece.data.n = piece.total - piece.offset;
    if (piece.data.n > DOUBLE_PIECE)
        piece.data.n = DOUBLE_PIECE;
    piece.data.data = piece.data.n ? double_script.data + piece.offset : NULL;
    query->on_blob(&piece, NULL, query->ctx);
}

static void end_query(struct double_query *query)
{
    struct err err = { 0 };

    err_set(&err, ENOENT, "no such blob");
    if (query->on_alive) {
        load_alive(&double_store, query->loader, query->ctx);
        query->on_alive(double_store.committed, (uintptr_t)query->ctx % 64 ? NULL : &err,
                        query->ctx);
    } else if (query->on_events)
        end_events_query(query);
    else if (query->on_rows)
        query->on_rows(NULL, 0, (uintptr_t)query->ctx % 64 ? NULL : &err, query->ctx);
    else if (query->on_history)
        query->on_history(&(struct jobs_page){ 0 }, 0, NULL, query->ctx);
    else if ((uintptr_t)query->ctx % 2)
        query->on_blob(&(struct blob_chunk){ 0 }, &err, query->ctx);
    else
        end_blob_query(query);
    free(query);
}

void store_dispatch(struct store *store)
{
    struct double_query *query = store->queries, *next;

    store->queries = NULL;
    for (; query; query = next) {
        next = query->next;
        end_query(query);
    }
}

static void ask_store(struct store *store, struct double_query query)
{
    query.next = store->queries;
    store->queries = xmemdup(&query, sizeof(query));
}

void store_alive(struct store *store, const struct store_loader *loader, store_alive_fn *on_done,
                 void *ctx)
{
    ask_store(store, (struct double_query){ .loader = loader, .on_alive = on_done, .ctx = ctx });
}

void store_history(struct store *store, uint32_t asker, const struct history_list *filter,
                   uint64_t after, store_history_fn *on_done, void *ctx)
{
    (void)asker;
    (void)filter;
    (void)after;
    ask_store(store, (struct double_query){ .on_history = on_done, .ctx = ctx });
}

void store_events(struct store *store, uint32_t asker, const struct event_list *filter,
                  struct event_place after, store_events_fn *on_done, void *ctx)
{
    (void)asker;
    (void)filter;
    ask_store(store, (struct double_query){ .on_events = on_done, .after = after, .ctx = ctx });
}

/* Rows of any kind are answered by none, or by an error. */
void store_rows(struct store *store, uint32_t asker, uint32_t type, const void *request,
                int64_t now, store_rows_fn *on_done, void *ctx)
{
    (void)asker;
    (void)type;
    (void)request;
    (void)now;
    ask_store(store, (struct double_query){ .on_rows = on_done, .ctx = ctx });
}

uint32_t store_row_type(uint32_t type)
{
    return type + 1;
}

void store_rows_free(uint32_t row_type, void *rows, uint32_t n)
{
    (void)row_type;
    (void)n;
    free(rows);
}

void store_blob(struct store *store, uint32_t asker, const uint8_t sha256[SHA256_BYTES],
                uint32_t offset, store_blob_fn *on_done, void *ctx)
{
    (void)asker;
    (void)sha256;
    ask_store(store, (struct double_query){ .on_blob = on_done, .offset = offset, .ctx = ctx });
}

void store_job_blob(struct store *store, uint32_t asker, const struct job_script *ask, uint32_t uid,
                    store_blob_fn *on_done, void *ctx)
{
    (void)asker;
    (void)ask;
    (void)uid;
    ask_store(store, (struct double_query){ .on_blob = on_done, .ctx = ctx });
}

/* No slurmdbd is named: nothing is kept for it, and nothing asked. */
void store_log_keep(struct store *store, bool on)
{
    (void)store;
    (void)on;
}

void store_log_bodies(struct store *store, const struct store_bodies *which)
{
    (void)store;
    (void)which;
}

void store_log_told(struct store *store, uint64_t turn)
{
    (void)store;
    (void)turn;
}

void store_log(struct store *store, uint64_t after, store_log_fn *on_done, void *ctx)
{
    (void)store;
    (void)after;
    (void)on_done;
    (void)ctx;
    abort();
}

void store_copy(struct store *store, bool begins, store_copy_fn *on_done, void *ctx)
{
    (void)store;
    (void)begins;
    (void)on_done;
    (void)ctx;
    abort();
}

uint64_t store_committed(const struct store *store)
{
    return store->committed;
}

bool store_trouble(struct store *store, struct err *ret_why)
{
    if (store->in_trouble)
        err_set(ret_why, ENOSPC, "the disk is full");
    return store->in_trouble;
}

bool store_failed(struct store *store, struct err *ret_why)
{
    (void)store;
    (void)ret_why;
    return false;
}

bool store_load_archive(struct store *store, int fd, const char *path, struct archive_head *head,
                        bool is_trial, store_loaded_fn *on_done, void *ctx)
{
    (void)store;
    (void)fd;
    (void)path;
    (void)head;
    (void)is_trial;
    (void)on_done;
    (void)ctx;
    return false;
}

bool store_purge(struct store *store, const struct store_purge *what, store_purged_fn *on_done,
                 void *ctx)
{
    (void)store;
    (void)what;
    (void)on_done;
    (void)ctx;
    return false;
}

void store_stats(struct store *store, struct store_stats *ret)
{
    (void)store;
    *ret = (struct store_stats){ 0 };
}

/* ---- users: 1000 and 1001 have names, 1003 has none, of 1002 nobody can tell ---- */

void names_lookup(struct names *names, uint32_t uid, uint32_t gid, names_fn *fn, void *ctx)
{
    struct identity identity = { .uid = uid, .gid = gid };
    uint32_t groups[] = { gid, 2000 };
    char *group_names[] = { (char *)(uintptr_t) "users", (char *)(uintptr_t) "physics" };
    struct err err = { 0 };

    (void)names;
    if (uid == 1002) {
        err_set(&err, EIO, "no name service");
        fn(NULL, &err, ctx);
        return;
    }
    if (uid != 1003)
        identity.user_name = (char *)(uintptr_t)(uid == 0 ? "root" : uid == 1000 ? "alice" : "bob");
    identity.home = (char *)(uintptr_t) "/home/alice";
    identity.shell = (char *)(uintptr_t) "/bin/sh";
    identity.groups = groups;
    identity.groups_n = 2;
    identity.group_names = group_names;
    identity.group_names_n = 2;
    identity.group_name = group_names[0];
    fn(&identity, NULL, ctx);
}

void names_forget(struct names *names, const void *ctx)
{
    (void)names;
    (void)ctx;
}

/* ---- programs: they end when told, as told ---- */

struct double_run {
    programs_over_fn *on_over;
    void *ctx;
};

struct programs {
    struct double_run runs[64];
    uint32_t runs_n;
};

struct programs *programs_new(struct event_base *base, struct log *log)
{
    (void)base;
    (void)log;
    return xcalloc(1, sizeof(struct programs));
}

static void double_end_program(struct programs *programs, int code)
{
    struct double_run run;

    if (programs->runs_n == 0)
        return;
    run = programs->runs[--programs->runs_n];
    if (run.on_over)
        run.on_over(run.ctx, code);
    free(run.ctx);
}

struct programs *programs_free(struct programs *programs)
{
    for (uint32_t i = 0; programs && i < programs->runs_n; i++)
        free(programs->runs[i].ctx);
    free(programs);
    return NULL;
}

void programs_run(struct programs *programs, const struct program_run *run)
{
    if (programs->runs_n == ARRAY_N(programs->runs)) {
        free(run->ctx); /* it never ends */
        return;
    }
    programs->runs[programs->runs_n++] = (struct double_run){ run->on_over, run->ctx };
}

void programs_release(struct programs *programs, uint64_t committed)
{
    (void)programs;
    (void)committed;
}

/* ---- authd: answers later, as it does ---- */

static struct {
    authc_encoded_fn *fn;
    void *arg;
} double_asked[64];
static uint32_t double_asked_n;

struct authc_call *authc_encode_async(struct event_base *base, const struct authc_options *options,
                                      const struct authc_what *what, authc_encoded_fn *fn,
                                      void *arg)
{
    (void)base;
    (void)options;
    (void)what;
    FUZZ_CHECK(double_asked_n < ARRAY_N(double_asked));
    double_asked[double_asked_n].fn = fn;
    double_asked[double_asked_n++].arg = arg;
    return (struct authc_call *)(void *)arg;
}

struct authc_call *authc_cancel(struct authc_call *call)
{
    for (uint32_t i = 0; i < double_asked_n; i++) {
        if (double_asked[i].arg == (void *)call)
            double_asked[i] = double_asked[--double_asked_n];
    }
    return NULL;
}

static void double_answer_asked(bool is_good)
{
    struct err err = { 0 };

    err_set(&err, ETIMEDOUT, "no authd");
    while (double_asked_n > 0) {
        double_asked_n--;
        if (is_good)
            double_asked[double_asked_n].fn(double_asked[double_asked_n].arg, 0, "MUNGE:x:", NULL);
        else
            double_asked[double_asked_n].fn(double_asked[double_asked_n].arg, -ETIMEDOUT, NULL,
                                            &err);
    }
}
