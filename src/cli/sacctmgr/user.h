/* user.h - sacctmgr add, modify, delete user. */
#pragma once

#include "cli/sacctmgr/book.h"
#include "cli/sacctmgr/sacctmgr.h"

int user_add(struct mgr *mgr, const struct book *book, const struct acct_line *line);
int user_modify(struct mgr *mgr, const struct book *book, const struct acct_line *line);
int user_delete(struct mgr *mgr, const struct book *book, const struct acct_line *line);
