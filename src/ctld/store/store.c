#include "ctld/store/store.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#include "common/base/clock.h"
#include "ctld/store/db.h"
#include "ctld/store/purge.h"

#define NFS_MAGIC        0x6969
#define SMB2_MAGIC       0xfe534d42
#define CEPH_MAGIC       0x00c36400
#define LUSTRE_MAGIC     0x0bd00bd0
#define SPACE_RETRY_S    1
#define INCARNATION_NAME "incarnation"

struct query {
    struct query *next;
    struct history_list filter;
    uint64_t after, next_page;
    uint8_t sha256[SHA256_BYTES]; /* of a blob that is asked for by itself */
    struct job_script job_blob;   /* or else by its job, when that is not 0 */
    uint32_t uid;
    store_history_fn *on_history; /* one of the two is set */
    store_blob_fn *on_blob;
    void *ctx;
    int rc;
    struct err err;
    struct history_job *jobs;
    uint32_t jobs_n;
    uint8_t *data;
    uint32_t data_n;
};

/* A list with its end, so that appending keeps the order. */
struct queries {
    struct query *first, **last;
};

struct store {
    char *path, *dir;
    char *remark;
    int lock_fd, event_fd;
    uint64_t incarnation;
    unsigned commit_delay_ms; /* SLUICE_STORE_DELAY_MS: a slow disk, for tests */
    sqlite3 *writer_db, *reader_db;
    struct writer *writer;
    bool running;
    pthread_t writer_thread, reader_thread;

    pthread_mutex_t mutex; /* guards all that follows */
    pthread_cond_t work, queries_work;
    bool stopping;
    struct turn_changes *waiting; /* handed in, not yet taken by the writer */
    uint32_t waiting_n;
    uint64_t committed;
    bool in_trouble, failed;
    struct err why;
    struct store_stats stats;
    struct queries asked, answered;
    struct purge *purge; /* the writer's until it is over */
    bool purge_is_over;
    struct err purge_err;
    store_purged_fn *on_purged;
    void *purged_ctx;
};

/* ---- opening ---- */

static bool is_network_fs(const char *dir)
{
    struct statfs fs;

    if (statfs(dir, &fs) < 0)
        return false;
    return fs.f_type == NFS_MAGIC || (uint32_t)fs.f_type == SMB2_MAGIC || fs.f_type == CEPH_MAGIC ||
           fs.f_type == LUSTRE_MAGIC;
}

static int take_lock(struct store *store, struct err *err)
{
    AUTO_FREE char *path = xasprintf("%s/sluice.lock", store->dir);

    store->lock_fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (store->lock_fd < 0)
        return err_set(err, errno, "state directory '%s': cannot write '%s': %s", store->dir, path,
                       strerror(errno));
    if (flock(store->lock_fd, LOCK_EX | LOCK_NB) < 0)
        return err_set(err, EBUSY,
                       "state directory '%s' is in use by another controller; two on one directory "
                       "would run jobs twice",
                       store->dir);
    return 0;
}

/* The number is on disk before anything is done under it. */
static int raise_incarnation(struct store *store, struct err *err)
{
    int64_t number = 0;
    int rc = db_exec(store->writer_db,
                     "INSERT INTO numbers (name, number) VALUES ('" INCARNATION_NAME "', 1)"
                     " ON CONFLICT (name) DO UPDATE SET number = number + 1",
                     err);

    if (rc == 0)
        rc = db_number(store->writer_db,
                       "SELECT number FROM numbers WHERE name = '" INCARNATION_NAME "'", &number,
                       err);
    store->incarnation = (uint64_t)number;
    return rc;
}

static int open_all(struct store *store, struct err *err)
{
    bool network = is_network_fs(store->dir);
    int rc = take_lock(store, err);

    if (network)
        store->remark =
            xasprintf("state directory '%s' is on a network file system: no write-ahead "
                      "log, slower commits, and a second controller on another host "
                      "may go unnoticed",
                      store->dir);
    if (rc == 0)
        rc = db_open_writer(store->path, !network, &store->writer_db, err);
    if (rc == 0)
        rc = db_migrate(store->writer_db, store->path, err);
    if (rc == 0)
        rc = raise_incarnation(store, err);
    if (rc == 0)
        rc = writer_new(store->writer_db, &store->writer, err);
    if (rc == 0)
        rc = db_open_reader(store->path, &store->reader_db, err);
    store->event_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    return rc;
}

int store_open(const char *dir, struct store **ret, struct err *err)
{
    const char *delay = getenv("SLUICE_STORE_DELAY_MS");
    struct store *store = xcalloc(1, sizeof(*store));
    int rc;

    store->dir = xstrdup(dir);
    store->path = xasprintf("%s/sluice.db", dir);
    store->lock_fd = store->event_fd = -1;
    store->commit_delay_ms = delay ? (unsigned)strtoul(delay, NULL, 10) : 0;
    store->asked.last = &store->asked.first;
    store->answered.last = &store->answered.first;
    pthread_mutex_init(&store->mutex, NULL);
    pthread_cond_init(&store->work, NULL);
    pthread_cond_init(&store->queries_work, NULL);
    rc = open_all(store, err);
    if (rc < 0) {
        store_free(store);
        return rc;
    }
    *ret = store;
    return 0;
}

const char *store_remark(const struct store *store)
{
    return store->remark;
}

uint64_t store_incarnation(const struct store *store)
{
    return store->incarnation;
}

int store_load(struct store *store, const struct store_loader *loader, void *ctx, struct err *err)
{
    return read_alive(store->writer_db, loader, ctx, err);
}

static void notify(struct store *store)
{
    const uint64_t one = 1;

    if (write(store->event_fd, &one, sizeof(one)) < 0) {
        /* Only when the counter is full: then the owner has been told already. */
    }
}

/* ---- the writer's thread ---- */

static int apply_turns(struct store *store, const struct turn_changes *turns, uint32_t n,
                       struct err *err)
{
    int rc = db_exec(store->writer_db, "BEGIN IMMEDIATE", err);

    for (uint32_t i = 0; rc == 0 && i < n; i++) {
        for (uint32_t k = 0; rc == 0 && k < turns[i].changes_n; k++)
            rc = writer_apply(store->writer, &turns[i].changes[k], err);
    }
    if (rc == 0 && store->commit_delay_ms)
        nanosleep(&(struct timespec){ store->commit_delay_ms / 1000,
                                      store->commit_delay_ms % 1000 * 1000000 },
                  NULL);
    if (rc == 0)
        rc = db_exec(store->writer_db, "COMMIT", err);
    if (rc < 0)
        sqlite3_exec(store->writer_db, "ROLLBACK", NULL, NULL, NULL);
    return rc;
}

static void note_success(struct store *store, uint64_t turn, uint64_t us)
{
    store->committed = turn;
    store->in_trouble = false;
    store->stats.commits++;
    store->stats.commit_total_us += us;
    if (us > store->stats.commit_max_us)
        store->stats.commit_max_us = us;
}

static void note_trouble(struct store *store, int rc, const struct err *err)
{
    struct statvfs fs;

    store->why = *err;
    store->failed = rc != -ENOSPC;
    store->in_trouble = !store->failed;
    if (store->in_trouble && statvfs(store->dir, &fs) == 0)
        err_set(&store->why, ENOSPC,
                "state directory '%s' is full: %llu kB free; jobs are refused "
                "until there is room",
                store->dir, (unsigned long long)fs.f_bavail * fs.f_frsize / 1024);
}

/* Writes the turns until they are on disk or the store has failed. Called with the mutex held. */
static void write_turns(struct store *store, const struct turn_changes *turns, uint32_t n)
{
    while (!store->failed) {
        struct err err = { 0 };
        uint64_t begin = clock_mono_us();
        struct timespec retry;
        int rc;

        pthread_mutex_unlock(&store->mutex);
        rc = apply_turns(store, turns, n, &err);
        pthread_mutex_lock(&store->mutex);
        if (rc == 0) {
            note_success(store, turns[n - 1].turn, clock_mono_us() - begin);
            notify(store);
            return;
        }
        note_trouble(store, rc, &err);
        notify(store);
        if (store->stopping)
            return; /* full disk at the end: what was promised is on disk, the rest was not */
        clock_gettime(CLOCK_REALTIME, &retry);
        retry.tv_sec += SPACE_RETRY_S;
        pthread_cond_timedwait(&store->work, &store->mutex, &retry);
    }
}

/* Called with the mutex held. */
static void write_waiting(struct store *store)
{
    struct turn_changes *turns = STEAL(store->waiting);
    uint32_t n = store->waiting_n;

    store->waiting_n = 0;
    write_turns(store, turns, n);
    for (uint32_t i = 0; i < n; i++)
        turn_changes_clear(&turns[i]);
    free(turns);
}

static bool is_purging(const struct store *store)
{
    return store->purge && !store->purge_is_over;
}

/* Called with the mutex held. */
static void purge_some(struct store *store)
{
    struct err err = { 0 };
    int rc;

    pthread_mutex_unlock(&store->mutex);
    rc = purge_bite(store->purge, &err);
    pthread_mutex_lock(&store->mutex);
    if (rc > 0)
        return;
    store->purge_err = err;
    store->purge_is_over = true;
    notify(store);
}

static void *writer_main(void *arg)
{
    struct store *store = arg;

    pthread_mutex_lock(&store->mutex);
    while (!store->failed) {
        while (!store->waiting_n && !store->stopping && !is_purging(store))
            pthread_cond_wait(&store->work, &store->mutex);
        if (store->waiting_n)
            write_waiting(store);
        else if (store->stopping)
            break;
        if (is_purging(store))
            purge_some(store);
    }
    pthread_mutex_unlock(&store->mutex);
    return NULL;
}

/* ---- the reader's thread ---- */

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

static void answer(struct store *store, struct query *query)
{
    if (query->job_blob.job_id)
        query->rc = read_job_blob(store->reader_db, &query->job_blob, query->uid, &query->data,
                                  &query->data_n, &query->err);
    else if (query->on_blob)
        query->rc =
            read_blob(store->reader_db, query->sha256, &query->data, &query->data_n, &query->err);
    else
        query->rc = read_history(store->reader_db, &query->filter, query->after, &query->jobs,
                                 &query->jobs_n, &query->next_page, &query->err);
}

static void *reader_main(void *arg)
{
    struct store *store = arg;

    pthread_mutex_lock(&store->mutex);
    for (;;) {
        struct query *query;

        while (!store->asked.first && !store->stopping)
            pthread_cond_wait(&store->queries_work, &store->mutex);
        if (store->stopping)
            break;
        query = pop_query(&store->asked);
        pthread_mutex_unlock(&store->mutex);
        answer(store, query);
        pthread_mutex_lock(&store->mutex);
        push_query(&store->answered, query);
        notify(store);
    }
    pthread_mutex_unlock(&store->mutex);
    return NULL;
}

/* ---- the owner's side ---- */

int store_start(struct store *store, struct err *err)
{
    int rc = pthread_create(&store->writer_thread, NULL, writer_main, store);

    if (rc)
        return err_set(err, rc, "cannot start the thread that writes state: %s", strerror(rc));
    rc = pthread_create(&store->reader_thread, NULL, reader_main, store);
    if (rc)
        return err_set(err, rc, "cannot start the thread that reads history: %s", strerror(rc));
    store->running = true;
    return 0;
}

void store_commit(struct store *store, struct turn_changes *changes)
{
    pthread_mutex_lock(&store->mutex);
    *ARRAY_PUSH(store->waiting, store->waiting_n) = *changes;
    pthread_cond_signal(&store->work);
    pthread_mutex_unlock(&store->mutex);
    turn_changes_init(changes);
}

int store_fd(const struct store *store)
{
    return store->event_fd;
}

static void ask(struct store *store, struct query *query)
{
    pthread_mutex_lock(&store->mutex);
    push_query(&store->asked, query);
    pthread_cond_signal(&store->queries_work);
    pthread_mutex_unlock(&store->mutex);
}

void store_history(struct store *store, const struct history_list *filter, uint64_t after,
                   store_history_fn *on_done, void *ctx)
{
    struct query *query = xcalloc(1, sizeof(*query));

    schema_copy(history_list_schema(), &query->filter, filter);
    query->after = after;
    query->on_history = on_done;
    query->ctx = ctx;
    ask(store, query);
}

void store_blob(struct store *store, const uint8_t sha256[SHA256_BYTES], store_blob_fn *on_done,
                void *ctx)
{
    struct query *query = xcalloc(1, sizeof(*query));

    memcpy(query->sha256, sha256, SHA256_BYTES);
    query->on_blob = on_done;
    query->ctx = ctx;
    ask(store, query);
}

void store_job_blob(struct store *store, const struct job_script *ask_for, uint32_t uid,
                    store_blob_fn *on_done, void *ctx)
{
    struct query *query = xcalloc(1, sizeof(*query));

    query->job_blob = *ask_for;
    query->uid = uid;
    query->on_blob = on_done;
    query->ctx = ctx;
    ask(store, query);
}

static void finish_query(struct query *query, bool tell)
{
    const struct err *err = query->rc < 0 ? &query->err : NULL;

    if (tell && query->on_blob)
        query->on_blob(STEAL(query->data), query->data_n, err, query->ctx);
    else if (tell)
        query->on_history(STEAL(query->jobs), query->jobs_n, query->next_page, err, query->ctx);
    for (uint32_t i = 0; query->jobs && i < query->jobs_n; i++)
        history_job_clear(&query->jobs[i]);
    free(query->jobs);
    free(query->data);
    history_list_clear(&query->filter);
    free(query);
}

bool store_purge(struct store *store, const struct store_purge *what, store_purged_fn *on_done,
                 void *ctx)
{
    bool is_free;

    pthread_mutex_lock(&store->mutex);
    is_free = !store->purge;
    if (is_free) {
        store->purge = purge_new(store->writer_db, store->writer, what);
        store->purge_is_over = false;
        store->on_purged = on_done;
        store->purged_ctx = ctx;
        pthread_cond_signal(&store->work);
    }
    pthread_mutex_unlock(&store->mutex);
    return is_free;
}

static void finish_purge(struct store *store)
{
    struct purge *purge = NULL;
    struct err err = { 0 };

    pthread_mutex_lock(&store->mutex);
    if (store->purge_is_over) {
        purge = STEAL(store->purge);
        store->purge_is_over = false;
        err = store->purge_err;
    }
    pthread_mutex_unlock(&store->mutex);
    if (purge)
        store->on_purged(purge_result(purge), err.code ? &err : NULL, store->purged_ctx);
    purge_free(purge);
}

void store_dispatch(struct store *store)
{
    uint64_t count;
    struct query *query;

    if (read(store->event_fd, &count, sizeof(count)) < 0) {
        /* Nothing new, or told twice: the queues below say what there is. */
    }
    for (;;) {
        pthread_mutex_lock(&store->mutex);
        query = pop_query(&store->answered);
        pthread_mutex_unlock(&store->mutex);
        if (!query)
            break;
        finish_query(query, true);
    }
    finish_purge(store);
}

uint64_t store_committed(const struct store *store)
{
    struct store *locked = (struct store *)(uintptr_t)store;
    uint64_t turn;

    pthread_mutex_lock(&locked->mutex);
    turn = store->committed;
    pthread_mutex_unlock(&locked->mutex);
    return turn;
}

static bool read_flag(struct store *store, const bool *flag, struct err *ret_why)
{
    bool is_set;

    pthread_mutex_lock(&store->mutex);
    is_set = *flag;
    if (is_set && ret_why)
        *ret_why = store->why;
    pthread_mutex_unlock(&store->mutex);
    return is_set;
}

bool store_trouble(struct store *store, struct err *ret_why)
{
    return read_flag(store, &store->in_trouble, ret_why);
}

bool store_failed(struct store *store, struct err *ret_why)
{
    return read_flag(store, &store->failed, ret_why);
}

void store_stats(struct store *store, struct store_stats *ret)
{
    pthread_mutex_lock(&store->mutex);
    *ret = store->stats;
    pthread_mutex_unlock(&store->mutex);
}

static void stop_threads(struct store *store)
{
    pthread_mutex_lock(&store->mutex);
    store->stopping = true;
    pthread_cond_broadcast(&store->work);
    pthread_cond_broadcast(&store->queries_work);
    pthread_mutex_unlock(&store->mutex);
    pthread_join(store->writer_thread, NULL);
    pthread_join(store->reader_thread, NULL);
}

struct store *store_free(struct store *store)
{
    struct query *query;

    if (!store)
        return NULL;
    if (store->running)
        stop_threads(store);
    while ((query = pop_query(&store->asked)) || (query = pop_query(&store->answered)))
        finish_query(query, false);
    for (uint32_t i = 0; i < store->waiting_n; i++)
        turn_changes_clear(&store->waiting[i]);
    free(store->waiting);
    purge_free(store->purge);
    writer_free(store->writer);
    sqlite3_close(store->reader_db);
    sqlite3_close(store->writer_db);
    if (store->event_fd >= 0)
        close(store->event_fd);
    if (store->lock_fd >= 0)
        close(store->lock_fd);
    pthread_cond_destroy(&store->work);
    pthread_cond_destroy(&store->queries_work);
    pthread_mutex_destroy(&store->mutex);
    free(store->remark);
    free(store->path);
    free(store->dir);
    free(store);
    return NULL;
}
