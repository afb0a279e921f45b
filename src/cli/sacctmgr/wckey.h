/*
 * wckey.h - the wckeys of users: adding them, choosing the default, deleting them.
 */
#pragma once

#include "cli/sacctmgr/edits.h"
#include "cli/sacctmgr/user_line.h"

/* Adds a wckey, or brings it back. Appends the line that tells so to `out`; one that is there adds
 * nothing. */
void wckey_add(struct edits *edits, const struct book *book, const struct wckey_record *wckey,
               struct strbuf *out);

/* Makes the wckey with this name the user's default on the cluster, and no other one. */
void wckey_choose(struct edits *edits, const struct book *book, const char *cluster,
                  const char *user, const char *name);

/* Returns whether all users who are meant have the wckey that the line makes their default; says
 * who has not. */
bool wckey_may_be_default(struct mgr *mgr, const struct book *book, const struct user_line *line);

/* Deletes the wckeys that the line names of the users whom it means. Returns what to exit with. */
int wckey_delete(struct mgr *mgr, const struct book *book, const struct user_line *line);
