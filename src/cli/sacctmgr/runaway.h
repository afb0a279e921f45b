/* runaway.h - jobs that the history tells of without an end, and that their controller does not
 * have: somebody has loaded them, or the controller has lost them. */
#pragma once

#include "cli/sacctmgr/sacctmgr.h"

/* Lists those of a cluster, and ends them if that is meant. Returns what to exit with. */
int runaway_list(struct mgr *mgr, const struct acct_line *line);
