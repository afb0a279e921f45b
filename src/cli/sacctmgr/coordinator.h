/* coordinator.h - sacctmgr add and delete coordinator: who may change accounts beside operators. */
#pragma once

#include "cli/sacctmgr/book.h"
#include "cli/sacctmgr/sacctmgr.h"

int coordinator_add(struct mgr *mgr, const struct book *book, const struct acct_line *line);
int coordinator_delete(struct mgr *mgr, const struct book *book, const struct acct_line *line);
