/* show.h - sacctmgr list and show: accounts, users, associations, QOS, TRES, clusters. */
#pragma once

#include "cli/sacctmgr/book.h"
#include "cli/sacctmgr/sacctmgr.h"

enum shown { SHOW_ACCOUNT, SHOW_ASSOC, SHOW_CLUSTER, SHOW_QOS, SHOW_TRES, SHOW_USER, SHOW_WCKEY };

int acct_show(struct mgr *mgr, const struct book *book, enum shown what,
              const struct acct_line *line);
