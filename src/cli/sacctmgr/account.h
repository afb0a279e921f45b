/* account.h - sacctmgr add, modify, delete account, and the coordinators of accounts. */
#pragma once

#include "cli/sacctmgr/book.h"
#include "cli/sacctmgr/sacctmgr.h"

/* Makes of an account's flags what the word says: `=` and `+=` set the one that is named, `-=`
 * clears it, and so does its counterpart, or a list that names none. Fails with EINVAL. */
int account_flags_apply(const struct acct_word *word, uint32_t *flags, struct err *err);

int account_add(struct mgr *mgr, const struct book *book, const struct acct_line *line);
int account_modify(struct mgr *mgr, const struct book *book, const struct acct_line *line);
int account_delete(struct mgr *mgr, const struct book *book, const struct acct_line *line);
