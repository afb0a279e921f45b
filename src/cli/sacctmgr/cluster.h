/* cluster.h - sacctmgr add, modify, delete cluster: the records of clusters and of their roots. */
#pragma once

#include "cli/sacctmgr/book.h"
#include "cli/sacctmgr/sacctmgr.h"

int cluster_add(struct mgr *mgr, const struct book *book, const struct acct_line *line);

/* Limits and shares of a cluster are those of its root account. */
int cluster_modify(struct mgr *mgr, const struct book *book, const struct acct_line *line);

/* With a cluster go its associations and wckeys; accounts and users stay. */
int cluster_delete(struct mgr *mgr, const struct book *book, const struct acct_line *line);
