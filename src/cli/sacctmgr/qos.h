/* qos.h - sacctmgr add, modify, delete qos. */
#pragma once

#include "cli/sacctmgr/book.h"
#include "cli/sacctmgr/sacctmgr.h"

int qos_add(struct mgr *mgr, const struct book *book, const struct acct_line *line);
int qos_modify(struct mgr *mgr, const struct book *book, const struct acct_line *line);

/* A QOS that goes leaves the lists of associations and of other QOS that name it. Refused while it
 * is somebody's default. */
int qos_delete(struct mgr *mgr, const struct book *book, const struct acct_line *line);
