/*
 * store.h - the one database of the controller: what it must know after a crash, and the history.
 *
 * Turns go in, in order, through store_commit; a thread writes them, as many as are waiting in one
 * transaction, and wakes the owner through store_fd. Nothing is promised to anyone before
 * store_committed has reached the turn. Reading back for a start (store_load) happens before the
 * thread runs; history and blobs are read by a second thread on a read-only connection, so that
 * neither the loop nor the writer waits for them.
 *
 * A commit that fails for want of space, or because a server is away, is tried again until it works
 * (store_trouble says so meanwhile); any other failure is final and store_failed tells it: the
 * owner must exit, since memory is ahead of the disk.
 */
#pragma once

#include <stdbool.h>

#include "common/base/arena.h"
#include "common/msg/change.h"
#include "common/msg/event.h"
#include "common/msg/job.h"

struct store;

/* Where a store is. Borrowed for the call that it is given to. */
struct mariadb_server;
struct store_place {
    const char *dir; /* of sluice.db, which is SQLite's; or NULL: */
    const struct mariadb_server *server;
    const char *prefix; /* of the tables there: mark and lock are in the database */
};

/*
 * Opens or makes the store, locked against a second controller, migrated to this program's schema
 * (after a copy of the file, where it is one); a newer schema is refused. Nothing else changes in
 * it. Fails with -ENOTCONN while a server does not answer.
 */
int store_open(const struct store_place *place, struct store **ret, struct err *err);

/* Waits for what was handed in to be committed, then releases. NULL is fine. */
struct store *store_free(struct store *store);

/* Returns a number that was drawn for this database when it was started first. */
uint64_t store_number(const struct store *store);

/* Returns what the operator should know of where the state lies (a network disk), or NULL. */
const char *store_remark(const struct store *store);

/* Returns what was committed and is lost, in words, or NULL. Numbers go on behind it; some may have
 * been given that even the mark beside the database does not know, when the power failed, too. */
const char *store_loss(const struct store *store);

/* Calls of store_load, one for each record that is alive. Records are borrowed for the call, but
 * on_job may take what its record owns. */
struct store_loader {
    void (*on_number)(const char *name, int64_t number, void *ctx);
    void (*on_kept)(const struct kept_kind *kind, const void *record, void *ctx); /* by key */
    /* not retired, rising ids */
    void (*on_job)(struct job_record *job, const struct job_body *body, void *ctx);
    void (*on_step)(const struct step_record *step, void *ctx); /* after their jobs */
};
int store_load(struct store *store, const struct store_loader *loader, void *ctx, struct err *err);

/* Starts the threads. After this, only the functions below may be called. */
int store_start(struct store *store, struct err *err);

/*
 * Takes over what `changes` owns (it becomes empty). Never waits. Numbers of turns rise over all
 * restarts: the first one is above store_committed, and is kept with what it changes.
 */
void store_commit(struct store *store, struct turn_changes *changes);

/* Returns a descriptor, readable when store_committed, store_trouble, store_failed or a query's end
 * has news. */
int store_fd(const struct store *store);

/* Runs the on_done of finished queries. To be called when store_fd is readable. */
void store_dispatch(struct store *store);

/* Returns the last turn that is on disk, whoever wrote it; 0: none ever was. */
uint64_t store_committed(const struct store *store);

/* True while commits wait for space or a server; `ret_why` then names path and figures, or the
 * server and what it said. */
bool store_trouble(struct store *store, struct err *ret_why);

/* True if the store is lost for good. */
bool store_failed(struct store *store, struct err *ret_why);

/* The kinds of records that leave the history, each into files of its own (archive.h). */
enum archive_kind {
    ARCHIVE_JOBS,
    ARCHIVE_STEPS,
    ARCHIVE_EVENTS,       /* times in which nodes could not be used */
    ARCHIVE_LOG,          /* what else happened */
    ARCHIVE_TRANSACTIONS, /* what was done to records of accounts */
    ARCHIVE_USAGE,        /* sums of what jobs held */
    ARCHIVE_KINDS_N,
};

/* Returns what names of files have of a kind: "job". */
const char *store_archive_name(enum archive_kind kind);

/* What is to leave the history, and how. */
struct store_purge {
    struct purge_record what;
    uint64_t turn;       /* that says so: it is on disk before anything leaves */
    int64_t steps_since; /* an earlier purge has removed those of jobs that ended before; or 0 */
    const char *cluster; /* whose history it is, for archives */
    const char *archives[ARCHIVE_KINDS_N]; /* files to write them to first, or NULL */
};

struct store_purged {
    uint64_t left[ARCHIVE_KINDS_N]; /* records of each kind */
    uint64_t blobs;
};

/* Purges: the writer does it between turns, a few milliseconds at a time; `on_done` runs in
 * store_dispatch. Returns false, and does nothing, while an earlier purge goes on. */
typedef void store_purged_fn(const struct store_purged *done, const struct err *err, void *ctx);
bool store_purge(struct store *store, const struct store_purge *what, store_purged_fn *on_done,
                 void *ctx);

/* The first line of an archive. */
struct archive_head {
    enum archive_kind kind;
    char *cluster;   /* owned */
    uint64_t store;  /* number of the database that it left */
    uint64_t number; /* of the file */
};

/* Opens an archive and reads its first line; the rest is read from the descriptor's beginning. A
 * file that is no regular one is refused, and never waited for. */
int archive_open(const char *path, int *ret_fd, struct archive_head *ret, struct err *err);
void archive_head_clear(struct archive_head *head);
void archive_head_auto_(struct archive_head *head);

/* What has come of an archive that was loaded. */
struct store_loaded {
    uint64_t records; /* that it has */
    uint64_t came;    /* that were not there */
    uint64_t were_there;
    uint64_t other;       /* left out: another job has the number, or a step's job is not there */
    uint32_t highest_job; /* number of a job that came */
    uint32_t highest_run; /* launch number of a job that came */
};

/*
 * Brings an archive back: `fd` and what `head` owns are taken over, `path` is copied. All of the
 * file is read before anything comes; with `is_trial` nothing does. Twice changes nothing, and what
 * was interrupted can be done again. Sums are as if nothing had left: what has come back counts in
 * them where it did not before. Returns false, and takes nothing over, while a purge or another
 * load goes on; else `on_done` runs in store_dispatch.
 */
typedef void store_loaded_fn(const struct store_loaded *done, const struct err *err, void *ctx);
bool store_load_archive(struct store *store, int fd, const char *path, struct archive_head *head,
                        bool is_trial, store_loaded_fn *on_done, void *ctx);

struct store_stats {
    uint64_t commits;
    uint64_t commit_max_us;
    uint64_t commit_total_us;
};
void store_stats(struct store *store, struct store_stats *ret);

/*
 * Queries. They see every turn committed before they were asked. on_done runs in store_dispatch;
 * what it is given is its own to clear. `err` is NULL when all went well. `asker` is the uid whose
 * turn it takes: users are answered one question each in turn, and nodes as root.
 */

/*
 * Jobs of the history. All that they consist of is in one memory, and jobs may share a body, so no
 * job is cleared by itself: arena_clear(&page->memory) releases them.
 */
struct jobs_page {
    struct arena memory;
    struct history_job *jobs;
    uint32_t n;
};

/* The page is the store's, which releases it after the call. Who wants to keep it takes it over and
 * leaves an empty one. */
typedef void store_history_fn(struct jobs_page *page, uint64_t next, const struct err *err,
                              void *ctx);

/* Asks for one page: about STORE_PAGE jobs, their ids rising. `after` is 0, or what the page before
 * gave as `next`; a `next` of 0 ends it. */
#define STORE_PAGE 500
void store_history(struct store *store, uint32_t asker, const struct history_list *filter,
                   uint64_t after, store_history_fn *on_done, void *ctx);

/*
 * Asks for events in order, a page of at most STORE_PAGE: those behind `after` that `filter` means.
 * *next is the place of the last one that was looked at, to be `after` of the next page; is_last:
 * there are no more for now. Pages may also go back, the newest first.
 */
struct event_place {
    uint64_t turn; /* 0: before all events, or on the way back behind all */
    uint32_t n;
    bool back;
};
typedef void store_events_fn(struct event_record *events, uint32_t n, struct event_place next,
                             bool is_last, const struct err *err, void *ctx);
void store_events(struct store *store, uint32_t asker, const struct event_list *filter,
                  struct event_place after, store_events_fn *on_done, void *ctx);

/*
 * Asks for rows: MSG_SUMS_LIST, MSG_UTILIZATION_LIST, MSG_CLUSTER_EVENT_LIST or
 * MSG_HISTORY_COUNT_LIST, answered with a list of messages of the type store_row_type, for
 * store_rows_free. `now` is the moment until which jobs that go on count.
 */
typedef void store_rows_fn(void *rows, uint32_t n, const struct err *err, void *ctx);
void store_rows(struct store *store, uint32_t asker, uint32_t type, const void *request,
                int64_t now, store_rows_fn *on_done, void *ctx);
uint32_t store_row_type(uint32_t type);
void store_rows_free(uint32_t row_type, void *rows, uint32_t n);

/* Reads what is alive as of a turn that is on disk: `loader` is called in the thread for queries,
 * which has `ctx` until `on_done`. */
typedef void store_alive_fn(uint64_t turn, const struct err *err, void *ctx);
void store_alive(struct store *store, const struct store_loader *loader, store_alive_fn *on_done,
                 void *ctx);

/*
 * What a slurmdbd is told. With `on` the changes that it may see go to a log too, in their
 * transaction, from the next commit on, also after restarts; without, the log is emptied.
 * store_log_told says up to which turn it may be forgotten.
 */
void store_log_keep(struct store *store, bool on);
void store_log_told(struct store *store, uint64_t turn);

/* Says whether the log and copies have, with bodies of jobs, their scripts and environments; at
 * first they have neither. */
struct store_bodies {
    bool scripts, environments;
};
void store_log_bodies(struct store *store, const struct store_bodies *which);

/* Asks for a page of the log behind `after`; none: there is no more yet. All turns behind `from`
 * are in the log (UINT64_MAX: it is not kept). They are borrowed. */
typedef void store_log_fn(struct turn_changes *turns, uint32_t n, uint64_t from,
                          const struct err *err, void *ctx);
void store_log(struct store *store, uint64_t after, store_log_fn *on_done, void *ctx);

/* Asks for the next piece of a copy of the history, for another store (enum turn_merge), as of one
 * turn, which is told with the last piece (else 0); `begins`: for the first piece of a new one.
 * They are borrowed. */
typedef void store_copy_fn(struct turn_changes *piece, uint64_t turn, const struct err *err,
                           void *ctx);
void store_copy(struct store *store, bool begins, store_copy_fn *on_done, void *ctx);

/* Calls for jobs that ended, and runs of jobs that wait again, in turns behind this one, in order.
 * To be called before store_start. Record and body are borrowed. */
typedef void store_ended_fn(const struct job_record *job, const struct job_body *body,
                            uint64_t turn, void *ctx);
int store_each_ended(struct store *store, uint64_t after_turn, store_ended_fn *on_ended, void *ctx,
                     struct err *err);

/*
 * Asks for a piece of a blob, from `offset` on: BLOB_CHUNK_MAX bytes or what is left, so that
 * nobody holds a whole one for a slow reader. The piece is borrowed. `err` says ENOENT when there
 * is no such blob, or no longer: a purge may take it between two pieces.
 */
typedef void store_blob_fn(const struct blob_chunk *piece, const struct err *err, void *ctx);
void store_blob(struct store *store, uint32_t asker, const uint8_t sha256[SHA256_BYTES],
                uint32_t offset, store_blob_fn *on_done, void *ctx);

/*
 * Asks for the first piece of the script or the environment of a job that the history has; it tells
 * the name by which store_blob gives the others. With `uid` other than STORE_ANYBODY the job must
 * be this user's. `err` says E_JOB_ID, EPERM or E_NO_SCRIPT, too.
 */
#define STORE_ANYBODY UINT32_MAX
void store_job_blob(struct store *store, uint32_t asker, const struct job_script *ask, uint32_t uid,
                    store_blob_fn *on_done, void *ctx);
