/*
 * outgoing.h - what a slurmdbd is told: a log of turns, kept until it has them
 * (docs/adr/0015-slurmdbd.md). What was before the log began is copied (copying.h). Inside the
 * store.
 */
#pragma once

#include "ctld/store/db.h"

/* ---- of the writer ---- */

/* What the owner asks of the log, as of the next commit. */
struct outgoing_wish {
    bool is_kept;
    uint64_t told; /* turns up to this one may be forgotten */
    struct store_bodies bodies;
};

struct outgoing;
int outgoing_new(struct sql *db, struct outgoing **ret, struct err *err);
struct outgoing *outgoing_free(struct outgoing *outgoing);

/* True if the log of a database that was opened is kept. */
bool outgoing_is_kept(const struct outgoing *outgoing);

/* Adds turns to the log as the wish says, or empties it, within the caller's transaction. */
int outgoing_write(struct outgoing *outgoing, const struct outgoing_wish *wish,
                   const struct turn_changes *turns, uint32_t n, struct err *err);

/* ---- of the reader ---- */

/* Reads turns of the log behind `after`, some at a time. *ret_from: all turns behind this one are
 * in it; UINT64_MAX: there is no log. */
int outgoing_read(struct sql *db, uint64_t after, struct turn_changes **ret_turns, uint32_t *ret_n,
                  uint64_t *ret_from, struct err *err);
