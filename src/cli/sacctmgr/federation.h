/* federation.h - sacctmgr add, list, modify, delete federation: clusters that are put together. */
#pragma once

#include "cli/sacctmgr/book.h"
#include "cli/sacctmgr/sacctmgr.h"

/* Returns the least number that no cluster of the federation has, nor any of the set `given`, to
 * which it is added. */
uint32_t federation_number(const struct book *book, const char *federation, uint64_t *given);

int federation_add(struct mgr *mgr, const struct book *book, const struct acct_line *line);
int federation_modify(struct mgr *mgr, const struct book *book, const struct acct_line *line);
int federation_delete(struct mgr *mgr, const struct book *book, const struct acct_line *line);
int federation_list(struct mgr *mgr, const struct acct_line *line);
