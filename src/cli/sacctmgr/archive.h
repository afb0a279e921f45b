/* archive.h - sacctmgr archive: what is old leaves the history, and comes back. */
#pragma once

#include "cli/sacctmgr/sacctmgr.h"

/* Says that nothing of a file was left out, by the word that scripts for Slurm look for. */
void archive_say_loaded(void);

/* Runs "archive dump ..." or "archive load ..."; `words` begin behind "archive". */
int archive_run(struct mgr *mgr, const char *const *words, uint32_t n);
