/*
 * inside.h - the store as its own files see it: turns.c writes, queries.c reads, store.c opens and
 * closes. Each of the two has a thread; the mutex guards what they share with the owner.
 */
#pragma once

#include <pthread.h>

#include "ctld/store/copying.h"
#include "ctld/store/db.h"
#include "ctld/store/intake.h"
#include "ctld/store/mark.h"
#include "ctld/store/outgoing.h"
#include "ctld/store/purge.h"

struct query;
struct asker;
struct hostlist;

/* events.c: what one page of events holds, and where it began and ends. */
struct event_page {
    struct event_record *events;
    uint32_t n;
    struct event_place next;
    bool is_begun; /* `next` was looked at; else it is where to begin */
    bool is_last;
};
int read_events(struct sql *db, const struct event_list *filter, struct event_page *page,
                struct err *err);

/* A list with its end, so that appending keeps the order. */
struct queries {
    struct query *first, **last;
};

struct store {
    char *path, *dir; /* NULL both: a server has it */
    char *remark, *loss;
    uint64_t number; /* see store_number */
    int lock_fd, event_fd;
    unsigned commit_delay_ms; /* SLUICE_STORE_DELAY_MS: a slow disk, for tests */
    struct sql *writer_db, *reader_db;
    struct writer *writer;
    struct mark *mark; /* NULL: see path; like the writer, of the writing thread once that runs */
    struct outgoing *outgoing; /* the same */
    struct copying *copying;   /* of the reading thread; NULL: none goes on */
    bool running;
    pthread_t writer_thread, reader_thread;

    pthread_mutex_t mutex; /* guards all that follows */
    pthread_cond_t work, queries_work;
    bool stopping;
    struct turn_changes *waiting; /* handed in, not yet taken by the writer */
    uint32_t waiting_n;
    uint64_t committed;
    unsigned tries; /* to get on, since a commit failed */
    struct outgoing_wish outgoing_wish;
    bool in_trouble, failed;
    struct err why;
    struct store_stats stats;
    struct asker *askers; /* users with questions, in the order in which it is their turn */
    struct queries answered;
    /* What the writer does between turns: one of the two, its own until it is over. */
    struct purge *purge;
    struct intake *intake;
    bool task_is_over;
    uint64_t task_turn; /* it begins when this one is committed */
    struct err task_err;
    store_purged_fn *on_purged;
    store_loaded_fn *on_loaded;
    void *task_ctx;
};

/* Opens one more connection that reads. */
int store_open_reader(const struct store *store, struct sql **ret, struct err *err);

/* Makes store_fd readable. */
void store_notify(struct store *store);

/* ---- loss.c ---- */

/* Compares database and mark. What is lost is told by store_loss, and numbers go on behind it. */
int store_loss_find(struct store *store, struct err *err);

/* Writes into the mark what the database has, before the first commit. */
int store_loss_begin(struct store *store, struct err *err);

/* Takes these turns as committed, for what is told of a loss. */
void store_loss_note(struct store *store, const struct turn_changes *turns, uint32_t n);

/* ---- turns.c ---- */

void *store_turns_main(void *store);

/* Tells of a purge or a load that is over. */
void store_turns_dispatch(struct store *store);

/* Releases what was never written. */
void store_turns_clear(struct store *store);

/* ---- queries.c ---- */

void queries_init(struct queries *queries);
void *store_queries_main(void *store);

/* Calls the on_done of the queries that are answered. */
void store_queries_dispatch(struct store *store);

/* Releases all queries without a call. */
void store_queries_clear(struct store *store);
