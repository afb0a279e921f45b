/*
 * sequel.h - the associations as a line would leave them, and what that means for those below the
 * ones that it changes.
 */
#pragma once

#include "cli/sacctmgr/book.h"
#include "cli/sacctmgr/edits.h"
#include "cli/sacctmgr/sacctmgr.h"

struct sequel {
    const struct book *now;
    struct book then; /* borrows all but the associations */
    bool *changed;    /* of each association */
};

struct sequel sequel_new(const struct book *book);
void sequel_clear(struct sequel *sequel);

/* Notes what becomes of an association of the book; the record is copied. */
void sequel_set(struct sequel *sequel, const struct assoc_record *was,
                const struct assoc_record *record);

/* Gives the association of a user the values of a line (assoc_values_apply), and appends its own
 * line, as of "Modified user associations". */
struct assoc_values;
void sequel_alter_user(struct sequel *sequel, const struct assoc_record *was,
                       const struct assoc_values *values, bool names_cluster, struct edits *edits,
                       struct strbuf *out);

/* Appends such a line for each user who has from the account one
 * of the values that change in it. */
void sequel_add_heirs(const struct sequel *sequel, const struct assoc_record *account,
                      struct strbuf *out);

/* Carries out what a line modifies, after asking, and says it: `records` are the lines of accounts
 * or users (`what`, "account"), `assocs` those of their associations. Says so if there are neither.
 * Returns what the command exits with. */
int sequel_commit(struct mgr *mgr, const struct sequel *sequel, struct edits *edits,
                  const char *what, const struct strbuf *records, const struct strbuf *assocs);
