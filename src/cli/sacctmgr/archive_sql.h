/* archive_sql.h - sacctmgr archive load of statements in SQL, which are parsed here and never
 * executed: the records that they name go to the controller of this cluster, those of a cluster
 * without a controller to slurmdbd. */
#pragma once

#include "cli/sacctmgr/sacctmgr.h"

/* Returns the descriptor of a file that can be read here and begins as SQL does, else -1: it is
 * another's matter. */
int archive_sql_open(const char *path);

/* Return what to exit with. The first closes the descriptor. */
int archive_sql_load(struct mgr *mgr, int fd, const char *name);
int archive_sql_insert(struct mgr *mgr, const char *statements);
