/* load.h - sacctmgr load FILE: accounts, users and associations of a cluster from a file of dump.
 */
#pragma once

#include "cli/sacctmgr/sacctmgr.h"

/* What the file comes to is done as one transaction, or not at all. Returns what to exit with. */
int load_run(struct mgr *mgr, const char *const *words, uint32_t n);
