/* turns.c - the writer's thread: turns onto the disk, and purging between them. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/statvfs.h>
#include <time.h>

#include "common/base/clock.h"
#include "common/base/minmax.h"
#include "ctld/store/inside.h"

#define SPACE_RETRY_MS 1000
#define FIRST_RETRY_MS 200U /* of a server that is away; then twice as long, and so on */
#define LAST_RETRY_MS  10000U
#define PING_S         5 /* between words with a server, while nothing is to be written */

/* Fails where the last turn in the database is not the one that was committed here last. */
static int fail_usurped(const struct store *store, int64_t turn, const char *awaited,
                        struct err *err)
{
    return err_set(err, E_USURPED,
                   "%s: its last turn is %lld, and was to be %s: another slurmdbd has written to "
                   "it, or it has lost what it had committed",
                   sql_where(store->writer_db), (long long)turn, awaited);
}

/* Within a transaction: the lock of a server is one server's, and there may be several of them for
 * one database. */
static int check_last(struct store *store, uint64_t before, struct err *err)
{
    int64_t turn = 0;
    int rc = store->dir ? 0 : writer_last_turn(store->writer, &turn, err);
    char awaited[24];

    if (rc < 0 || store->dir || (uint64_t)turn == before)
        return rc;
    snprintf(awaited, sizeof(awaited), "%llu", (unsigned long long)before);
    return fail_usurped(store, turn, awaited, err);
}

static int apply_turns(struct store *store, const struct turn_changes *turns, uint32_t n,
                       const struct outgoing_wish *wish, uint64_t before, struct err *err)
{
    int rc = sql_begin(store->writer_db, err);

    if (rc == 0)
        rc = check_last(store, before, err);
    for (uint32_t i = 0; rc == 0 && i < n; i++)
        rc = writer_apply(store->writer, &turns[i], err);
    if (rc == 0)
        rc = outgoing_write(store->outgoing, wish, turns, n, err);
    if (rc == 0)
        rc = writer_finish(store->writer, turns[n - 1].turn, err);
    if (rc == 0 && store->commit_delay_ms)
        nanosleep(&(struct timespec){ store->commit_delay_ms / 1000,
                                      store->commit_delay_ms % 1000 * 1000000 },
                  NULL);
    if (rc == 0)
        rc = sql_commit(store->writer_db, err);
    if (rc == 0) {
        store_loss_note(store, turns, n);
        return 0;
    }
    sql_rollback(store->writer_db);
    writer_forget(store->writer);
    return rc;
}

static bool has_task(const struct store *store)
{
    return (store->purge || store->intake) && !store->task_is_over;
}

/* Ends a purge, whose notes were in tables of the connection that is gone, or a load. */
static void cut_task(struct store *store)
{
    pthread_mutex_lock(&store->mutex);
    if (has_task(store)) {
        err_set(&store->task_err, ENOTCONN, "%s: the connection was lost meanwhile",
                sql_where(store->writer_db));
        store->task_is_over = true;
    }
    pthread_mutex_unlock(&store->mutex);
    writer_mark(store->writer, false);
}

/*
 * Goes on with a server that was away, within a turn that may have been committed when it went: its
 * last turn says so. Returns 1 when the turns are in the database, 0 when they are not.
 */
static int resume(struct store *store, uint64_t before, uint64_t last, struct err *err)
{
    int64_t turn = 0;
    char awaited[64];
    int rc = sql_restore(store->writer_db, err);

    if (rc == 0)
        cut_task(store);
    if (rc == 0)
        rc = db_last_turn(store->writer_db, &turn, err);
    if (rc < 0)
        return rc;
    if ((uint64_t)turn == last)
        return last != before;
    if ((uint64_t)turn == before)
        return 0;
    snprintf(awaited, sizeof(awaited), "%llu or %llu", (unsigned long long)before,
             (unsigned long long)last);
    return fail_usurped(store, turn, awaited, err);
}

/* Writes turns, unless they turn out to be there. */
static int write_once(struct store *store, const struct turn_changes *turns, uint32_t n,
                      const struct outgoing_wish *wish, uint64_t before, struct err *err)
{
    int rc = 0;

    if (sql_is_lost(store->writer_db))
        rc = resume(store, before, turns[n - 1].turn, err);
    if (rc != 0)
        return rc < 0 ? rc : 0;
    return apply_turns(store, turns, n, wish, before, err);
}

static void note_success(struct store *store, uint64_t turn, uint64_t us)
{
    store->committed = turn;
    store->in_trouble = false;
    store->tries = 0;
    store->stats.commits++;
    store->stats.commit_total_us += us;
    if (us > store->stats.commit_max_us)
        store->stats.commit_max_us = us;
}

static void note_trouble(struct store *store, int rc, const struct err *err)
{
    struct statvfs fs;

    store->why = *err;
    store->failed = rc != -ENOSPC && rc != -ENOTCONN && rc != -EAGAIN;
    store->in_trouble = !store->failed;
    if (store->in_trouble && !store->dir)
        err_set(&store->why, -rc, "%s; trying again", err->text);
    if (store->in_trouble && store->dir && statvfs(store->dir, &fs) == 0)
        err_set(&store->why, ENOSPC,
                "state directory '%s' is full: %llu kB free; jobs are refused "
                "until there is room",
                store->dir, (unsigned long long)fs.f_bavail * fs.f_frsize / 1024);
}

/* Waits until it is time to try again, or the store stops. Called with the mutex held. */
static void wait_to_retry(struct store *store, int rc)
{
    unsigned ms = SPACE_RETRY_MS;
    struct timespec until;

    if (rc != -ENOSPC)
        ms = MIN(FIRST_RETRY_MS << MIN(store->tries, 8U), LAST_RETRY_MS);
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += ms / 1000 + (until.tv_nsec + ms % 1000 * 1000000) / 1000000000;
    until.tv_nsec = (until.tv_nsec + ms % 1000 * 1000000) % 1000000000;
    pthread_cond_timedwait(&store->work, &store->mutex, &until);
}

/* True if what has failed is done at once a second time, and nobody is told: a server has closed a
 * connection that was idle, or undone a transaction. */
static bool is_worth_a_second(const struct store *store, int rc)
{
    return store->tries == 0 && (rc == -ENOTCONN || rc == -EAGAIN);
}

/* Writes the turns until they are on disk or the store has failed. Called with the mutex held. */
static void write_turns(struct store *store, const struct turn_changes *turns, uint32_t n)
{
    while (!store->failed) {
        const struct outgoing_wish wish = store->outgoing_wish;
        struct err err = { 0 };
        const uint64_t begin = clock_mono_us(), before = store->committed;
        int rc;

        pthread_mutex_unlock(&store->mutex);
        rc = write_once(store, turns, n, &wish, before, &err);
        pthread_mutex_lock(&store->mutex);
        if (rc == 0) {
            note_success(store, turns[n - 1].turn, clock_mono_us() - begin);
            return;
        }
        if (is_worth_a_second(store, rc)) {
            store->tries++;
            continue;
        }
        note_trouble(store, rc, &err);
        store_notify(store);
        if (store->stopping)
            return; /* full disk at the end: what was promised is on disk, the rest was not */
        wait_to_retry(store, rc);
        store->tries++;
    }
}

/* Writes the turns that wait. Called with the mutex held: the owner wakes at once and needs it, so
 * it is released before the turns are freed. */
static void write_waiting(struct store *store)
{
    struct turn_changes *turns = STEAL(store->waiting);
    uint32_t n = store->waiting_n;

    store->waiting_n = 0;
    write_turns(store, turns, n);
    pthread_mutex_unlock(&store->mutex);
    store_notify(store);
    for (uint32_t i = 0; i < n; i++)
        turn_changes_clear(&turns[i]);
    free(turns);
    pthread_mutex_lock(&store->mutex);
}

static bool is_task_due(const struct store *store)
{
    return has_task(store) && store->committed >= store->task_turn;
}

/* Takes a bite of the purge or load. Called with the mutex held. */
static void do_some(struct store *store)
{
    struct err err = { 0 };
    int rc;

    pthread_mutex_unlock(&store->mutex);
    rc = store->purge ? purge_bite(store->purge, &err) : intake_bite(store->intake, &err);
    pthread_mutex_lock(&store->mutex);
    if (rc > 0)
        return;
    store->task_err = err;
    store->task_is_over = true;
    store_notify(store);
}

/* Finds out whether the server is there, while nothing is to be written. Called with the mutex
 * held. */
static void look_after(struct store *store)
{
    const uint64_t committed = store->committed;
    struct err err = { 0 };
    int rc;

    pthread_mutex_unlock(&store->mutex);
    rc = sql_ping(store->writer_db, &err);
    if (rc < 0)
        rc = resume(store, committed, committed, &err);
    pthread_mutex_lock(&store->mutex);
    if (rc < 0)
        note_trouble(store, rc, &err);
    else
        store->in_trouble = false;
    store_notify(store);
}

/* Waits for something to do. Called with the mutex held. */
static void wait_for_work(struct store *store)
{
    struct timespec until;

    if (!sql_needs_ping(store->writer_db)) {
        pthread_cond_wait(&store->work, &store->mutex);
        return;
    }
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += store->in_trouble ? 1 : PING_S;
    if (pthread_cond_timedwait(&store->work, &store->mutex, &until) == ETIMEDOUT)
        look_after(store);
}

void *store_turns_main(void *arg)
{
    struct store *store = arg;

    pthread_mutex_lock(&store->mutex);
    while (!store->failed) {
        while (!store->waiting_n && !store->stopping && !is_task_due(store) && !store->failed)
            wait_for_work(store);
        if (store->waiting_n)
            write_waiting(store);
        else if (store->stopping)
            break;
        if (is_task_due(store))
            do_some(store);
    }
    pthread_mutex_unlock(&store->mutex);
    return NULL;
}

/* ---- the owner's side ---- */

void store_commit(struct store *store, struct turn_changes *changes)
{
    pthread_mutex_lock(&store->mutex);
    *ARRAY_PUSH(store->waiting, store->waiting_n) = *changes;
    pthread_cond_signal(&store->work);
    pthread_mutex_unlock(&store->mutex);
    turn_changes_init(changes);
}

void store_log_keep(struct store *store, bool on)
{
    pthread_mutex_lock(&store->mutex);
    store->outgoing_wish.is_kept = on;
    pthread_mutex_unlock(&store->mutex);
}

void store_log_bodies(struct store *store, const struct store_bodies *which)
{
    pthread_mutex_lock(&store->mutex);
    store->outgoing_wish.bodies = *which;
    pthread_mutex_unlock(&store->mutex);
}

void store_log_told(struct store *store, uint64_t turn)
{
    pthread_mutex_lock(&store->mutex);
    store->outgoing_wish.told = turn;
    pthread_mutex_unlock(&store->mutex);
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

/* Begins what was set, from the turn on. Called with the mutex held. */
static void begin_task(struct store *store, uint64_t turn, void *ctx)
{
    store->task_is_over = false;
    store->task_err = (struct err){ 0 };
    store->task_turn = turn;
    store->task_ctx = ctx;
    pthread_cond_signal(&store->work);
}

bool store_purge(struct store *store, const struct store_purge *what, store_purged_fn *on_done,
                 void *ctx)
{
    bool is_free;

    pthread_mutex_lock(&store->mutex);
    is_free = !store->purge && !store->intake;
    if (is_free) {
        store->purge = purge_new(store->writer_db, store->writer, what);
        store->on_purged = on_done;
        begin_task(store, what->turn, ctx);
    }
    pthread_mutex_unlock(&store->mutex);
    return is_free;
}

bool store_load_archive(struct store *store, int fd, const char *path, struct archive_head *head,
                        bool is_trial, store_loaded_fn *on_done, void *ctx)
{
    bool is_free;

    pthread_mutex_lock(&store->mutex);
    is_free = !store->purge && !store->intake;
    if (is_free) {
        store->intake = intake_new(store->writer_db, store->writer, fd, path, head, is_trial);
        store->on_loaded = on_done;
        begin_task(store, 0, ctx);
    }
    pthread_mutex_unlock(&store->mutex);
    return is_free;
}

void store_turns_dispatch(struct store *store)
{
    struct purge *purge = NULL;
    struct intake *intake = NULL;
    struct err err = { 0 };

    pthread_mutex_lock(&store->mutex);
    if (store->task_is_over) {
        purge = STEAL(store->purge);
        intake = STEAL(store->intake);
        store->task_is_over = false;
        err = store->task_err;
    }
    pthread_mutex_unlock(&store->mutex);
    if (purge)
        store->on_purged(purge_result(purge), err.code ? &err : NULL, store->task_ctx);
    if (intake)
        store->on_loaded(intake_result(intake), err.code ? &err : NULL, store->task_ctx);
    purge_free(purge);
    intake_free(intake);
}

void store_turns_clear(struct store *store)
{
    for (uint32_t i = 0; i < store->waiting_n; i++)
        turn_changes_clear(&store->waiting[i]);
    free(store->waiting);
    purge_free(store->purge);
    intake_free(store->intake);
}
