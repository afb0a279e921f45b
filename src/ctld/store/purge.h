/*
 * purge.h - takes out of the database what is too old, and blobs that nothing names any more.
 *
 * Done in bites of a few milliseconds, each a transaction of its own, between those of turns. What
 * is to be archived is on disk before its bite is committed: after a crash it may be in the
 * archive and in the database, never in neither. A bite that fails, for want of space say, changes
 * neither of them.
 */
#pragma once

#include "ctld/store/db.h"

struct purge;

struct purge *purge_new(struct sql *db, struct writer *writer, const struct store_purge *what);
struct purge *purge_free(struct purge *purge);

/* Returns 1 when there is more to do, 0 when all is done, or an error, which ends it. */
int purge_bite(struct purge *purge, struct err *err);

const struct store_purged *purge_result(const struct purge *purge);
