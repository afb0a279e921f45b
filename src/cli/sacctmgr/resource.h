/* resource.h - sacctmgr add, list, modify, delete resource: licenses that clusters share. */
#pragma once

#include "cli/sacctmgr/book.h"
#include "cli/sacctmgr/sacctmgr.h"

int resource_add(struct mgr *mgr, const struct book *book, const struct acct_line *line);
int resource_modify(struct mgr *mgr, const struct book *book, const struct acct_line *line);
int resource_delete(struct mgr *mgr, const struct book *book, const struct acct_line *line);
int resource_list(struct mgr *mgr, const struct acct_line *line);
