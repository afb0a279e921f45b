/* transaction.h - sacctmgr list transactions: who changed which records, when, and to what. */
#pragma once

#include "cli/sacctmgr/sacctmgr.h"

int transaction_list(struct mgr *mgr, const struct acct_line *line);
