/*
 * edits.h - the changes of one verb, gathered, shown, asked about and sent as one request.
 */
#pragma once

#include "cli/sacctmgr/sacctmgr.h"
#include "common/msg/acct.h"
#include "common/msg/kept.h"

/* Owns its edits. `struct edits edits = { 0 };` */
struct edits {
    struct kept_change change;
    struct kept_changed changed; /* by them, once they are done */
    bool sets_limits;
    const char *adds; /* what an add is about, for its error; NULL: it is none */
    const char *note; /* to be said once they are done, unless -Q; NULL: nothing */
};

void edits_clear(struct edits *edits);

/* Adds a record, which is encoded and stays the caller's. */
void edits_add(struct edits *edits, enum kept_number kind, const void *record);

/* Adds a record, or brings back the deleted one `was` (NULL: there is none) as that record, which
 * then gets what the controller has given. */
void edits_put(struct edits *edits, enum kept_number kind, const void *was, void *record);

/*
 * Sets in the record that has the key of `record` all fields that differ from those of `was`.
 * Returns false when none does. Who has changed one of them meanwhile is not overwritten: such an
 * edit is refused by the controller.
 */
bool edits_alter(struct edits *edits, enum kept_number kind, const void *was, const void *record);

/*
 * Says what the edits are, asks, and sends them. Where nothing is asked, what is modified or
 * deleted is said only once it has been done. Returns 0, also when they were not meant, or what the
 * command exits with.
 */
int edits_commit(struct mgr *mgr, struct edits *edits, const char *text);

/* Returns whether the record was changed. */
bool edits_did(const struct edits *edits, enum kept_number kind, const char *key);

/* Sends all edits. Returns 0, or what the command exits with, after saying why. Says of limits that
 * were set that nothing is done about them, since the controller keeps them and no more. */
int edits_send(struct mgr *mgr, struct edits *edits);
