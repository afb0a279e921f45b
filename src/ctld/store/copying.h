/*
 * copying.h - a copy of a history as of one turn, in pieces, for another store (merge.h): what a
 * slurmdbd is told of what was before the log began, and what a cluster takes back. Inside the
 * store.
 */
#pragma once

#include "ctld/store/db.h"

struct copying;
/* Owns db in any case. */
int copying_new(struct sql *db, const struct store_bodies *which, struct copying **ret,
                struct err *err);
struct copying *copying_free(struct copying *copying); /* NULL is fine */

/* Reads the next piece: changes without a turn's number. *ret_turn is 0, or with the last piece the
 * turn that the copy is as of. */
int copying_next(struct copying *copying, struct turn_changes *ret, uint64_t *ret_turn,
                 struct err *err);
