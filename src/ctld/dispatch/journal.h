/*
 * journal.h - what users ask for, as events: requests that changed something, and those refused.
 *
 * What has an event of its own (a job's submission) is not told twice. Of refusals only so many a
 * minute are kept for each user, lest one fills the disk.
 */
#pragma once

#include "ctld/dispatch/conn.h"

#define JOURNAL_REFUSALS_A_MINUTE 20

struct journal;

struct journal *journal_new(void);
struct journal *journal_free(struct journal *journal); /* NULL is fine */

/* Notes that the request was done in this turn; `msg` is its message, of its type. */
void journal_note_done(struct request *request, const void *msg);

/* Notes that a request was refused; nothing that waits for this turn speaks of it. `msg` may be
 * NULL. */
void journal_note_refused(struct request *request, const void *msg, int rc, const struct err *err);
