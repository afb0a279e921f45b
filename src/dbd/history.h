/*
 * history.h - what one cluster has told: a store of its own, written by the turns that come from
 * its controller, each once and in order.
 *
 * A cluster without a controller tells nothing: what somebody loads is added (history_add).
 *
 * Turns of the store are numbered here; the number of the controller's turn is kept with what it
 * changes, so that nothing is taken twice, whatever dies.
 */
#pragma once

#include "common/msg/acct.h"
#include "common/msg/dbd.h"
#include "ctld/control/acct/in_use.h"
#include "ctld/store/store.h"

struct dbd;
struct history;

/* Called when a turn, or a piece of a copy (0), is on disk. */
typedef void history_applied_fn(const char *cluster, uint64_t turn, void *ctx);

/* Returns that of a cluster, without a store: as if nothing were told yet. */
struct history *history_new(struct dbd *dbd, const char *cluster, history_applied_fn *on_applied,
                            void *ctx);

/* Opens or makes the store of the cluster (places.h), where it is not open. */
int history_open(struct history *history, struct err *err);

struct history *history_free(struct history *history); /* NULL is fine */

/* Returns the last turn of the controller that was taken, 0: none, or only a part of a copy. */
uint64_t history_turn(const struct history *history);

/* Returns the number of the controller's database that the history is of; 0: nobody knows, or there
 * is none. */
uint64_t history_fed_by(const struct history *history);

/* Says which database is told of from now on; and that it has all that is here. */
void history_set_speaker(struct history *history, uint64_t number);
void history_set_fed_by(struct history *history, uint64_t number);

/* Forgets the part of a turn that has come on a connection which is gone. */
void history_forget_part(struct history *history);

/* Takes what the message has (it may be emptied). Fails when the store cannot be opened. */
int history_take(struct history *history, struct dbd_turn *msg, struct err *err);

/* Takes over changes that no controller told of, and calls on_added once they are on disk. The
 * store is open. */
typedef void history_added_fn(void *ctx);
void history_add(struct history *history, struct turn_changes *changes, history_added_fn *on_added,
                 void *ctx);

/* Calls `look` with each job of the cluster that is not over. */
void history_each_job(const struct history *history, in_use_look_fn *look, void *arg);

/* Returns the store, to be asked, or NULL. It may be another one after history_take. */
struct store *history_store(const struct history *history);
