/* cluster.h - sacctmgr add, modify, delete cluster: the records of clusters and of their roots. */
#pragma once

#include "cli/sacctmgr/book.h"
#include "cli/sacctmgr/edits.h"
#include "cli/sacctmgr/sacctmgr.h"

/* Returns Slurm's word for what a cluster is for ("Capacity"), or NULL. */
const char *cluster_classification(const char *word);

/* Adds the record of a cluster, or brings it back, or sets what a cluster that is there is for
 * (NULL: as before); its root associations are the caller's. */
void cluster_put(struct edits *edits, const struct book *book, const char *name,
                 const char *classification);

int cluster_add(struct mgr *mgr, const struct book *book, const struct acct_line *line);

/* Limits and shares of a cluster are those of its root account. */
int cluster_modify(struct mgr *mgr, const struct book *book, const struct acct_line *line);

/* With a cluster go its associations and wckeys; accounts and users stay. */
int cluster_delete(struct mgr *mgr, const struct book *book, const struct acct_line *line);
