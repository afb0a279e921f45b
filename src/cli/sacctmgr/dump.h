/* dump.h - sacctmgr dump: a cluster's accounts and users as a file that Slurm's load reads. */
#pragma once

#include "cli/sacctmgr/sacctmgr.h"

/* Writes the file that the words name. Returns what to exit with. */
int dump_run(struct mgr *mgr, const char *const *words, uint32_t n);
