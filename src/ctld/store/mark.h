/*
 * mark.h - what the database must have by now, written beside it: how a lost log is noticed.
 *
 * SQLite takes a write-ahead log that was cut, damaged or deleted for one that ends there: commits
 * that were on disk are gone without a word, and ids that were given are given again. So after each
 * commit a file of some hundred bytes says which turn was the last and which numbers (next job id,
 * cluster time) they left. It is written after the commit, in place, and synced rarely: after a
 * power failure it may be older than the database, never newer. A newer one says that commits are
 * lost.
 *
 * Owns its file and numbers. One thread at a time.
 */
#pragma once

#include "common/msg/change.h"

struct mark;

/* Reads the file, or begins one: also where it cannot be read, which mark_is_damaged tells. */
int mark_open(const char *path, struct mark **ret, struct err *err);

/* Syncs what was written; NULL is fine. Returns NULL. */
struct mark *mark_free(struct mark *mark);

bool mark_is_damaged(const struct mark *mark);

/* Returns what the last mark_write has told, of this process or an earlier one. */
const struct turn_changes *mark_last(const struct mark *mark);

/* Notes the numbers among the changes of a turn that is being committed. */
void mark_note(struct mark *mark, const struct turn_changes *turn);

/* Marks all turns up to this one as committed. A disk that does not take the mark leaves an older
 * one, which promises less. */
void mark_write(struct mark *mark, uint64_t turn);
