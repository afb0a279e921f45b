/*
 * snapshot.h - the state as it is on disk, in memory once more, to be shown while what is newer
 * waits for the disk.
 *
 * It is what a restart would find, read by the store's thread for queries, with what nodes have
 * told since and no database keeps (whether they are there, their load). Nothing happens in it.
 */
#pragma once

#include "ctld/dispatch/ctld.h"

struct snapshot;

/* Called when the snapshot can be looked at, or cannot; then `err` says why. */
typedef void snapshot_fn(const struct err *err, struct ctld *ctld);

/* Asks for a snapshot. *ret is one reference, the caller's. The store's thread uses it until
 * `on_done` runs, in store_dispatch, or the store is no more. */
int snapshot_ask(struct ctld *ctld, snapshot_fn *on_done, struct snapshot **ret, struct err *err);

struct snapshot *snapshot_ref(struct snapshot *snapshot);
struct snapshot *snapshot_unref(struct snapshot *snapshot); /* NULL is fine, and what it returns */

/* Returns the last turn that the snapshot has. */
uint64_t snapshot_turn(const struct snapshot *snapshot);
struct control *snapshot_control(const struct snapshot *snapshot);
