/* problem.h - sacctmgr list problem: accounts that nobody can use, users whom the system has not.
 */
#pragma once

#include "cli/sacctmgr/sacctmgr.h"

int problem_list(struct mgr *mgr, const struct acct_line *line);
