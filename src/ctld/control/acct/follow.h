/*
 * follow.h - accounts that a slurmdbd owns (docs/adr/0015-slurmdbd.md): what a controller takes
 * from it, and a slurmdbd from a controller that registers for the first time.
 *
 * Records come as messages tell them: lists of (kind, encoded record).
 */
#pragma once

#include "common/msg/acct.h"
#include "common/msg/dbd.h"
#include "common/msg/job.h"
#include "ctld/control/act/act.h"
#include "ctld/control/act/kept.h"

/* Return the number of the slurmdbd that owns the accounts, 0: the controller does itself; and say
 * that it is another one from now on. */
uint64_t acct_owner(const struct control *control);
void acct_set_owner(struct act *act, uint64_t number);

/* Makes the controller the owner of what it has of a slurmdbd, but for the clusters of others. */
void acct_follow_nobody(struct act *act);

/* Fails where the request changes records that a slurmdbd owns. */
int acct_check_owner(const struct control *control, const struct kept_change *request,
                     struct err *err);

/* Returns whether a cluster is told of records of the kind. */
bool acct_is_told(uint32_t kind);

/* Returns whether a cluster is told of this encoded record: not of associations of others. */
bool acct_is_told_to(const char *cluster, uint32_t kind, const struct blob *record);

/* Adds to `out` all records that the cluster is told of. */
void acct_tell_all(struct control *control, const char *cluster, struct dbd_records *out);

/* Makes the piece of a list that begins with record *at, which moves on behind it; it borrows, and
 * fits into a frame. The one that is the last says so; there is at least one. */
struct dbd_records acct_next_piece(const struct dbd_records *list, uint32_t *at);

/* Adds a piece that has come to the list; the piece is left empty. */
void acct_join_piece(struct dbd_records *list, struct dbd_records *piece);

/* Takes records of the owner. With is_all, what is here and not in the list is deleted. Fails, and
 * takes nothing, when one cannot be read. */
int acct_follow(struct act *act, const struct dbd_records *list, struct err *err);

/* Tells in what records of a cluster's own and those that are here differ (acct_meet), where nobody
 * has said which ones hold. *ret is initialised. Fails as acct_follow does. */
int acct_find_conflicts(struct control *control, const char *cluster,
                        const struct dbd_records *list, struct dbd_refused *ret, struct err *err);

/* Adds records of a cluster's own, where nothing of that name is here or `keep` of the list says
 * so; they get numbers of this place. Fails as acct_follow does. */
int acct_adopt(struct act *act, const char *cluster, const struct dbd_records *list,
               struct err *err);

/* Notes that a controller has registered: its cluster, where it is, and the TRES that it counts. */
int acct_register(struct act *act, const char *cluster, const struct dbd_register *msg,
                  struct err *err);
