/* account.h - sacctmgr add, modify, delete account, and the coordinators of accounts. */
#pragma once

#include "cli/sacctmgr/book.h"
#include "cli/sacctmgr/sacctmgr.h"

int account_add(struct mgr *mgr, const struct book *book, const struct acct_line *line);
int account_modify(struct mgr *mgr, const struct book *book, const struct acct_line *line);
int account_delete(struct mgr *mgr, const struct book *book, const struct acct_line *line);
