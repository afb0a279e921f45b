/*
 * level.h - whether who asks has the level that Slurm wants of him, before anything is shown.
 *
 * It keeps nothing from anybody: who asks in another way is judged by who has the records.
 */
#pragma once

#include "cli/sacctmgr/sacctmgr.h"
#include "common/msg/acct.h"

/* Returns whether the caller is root, SlurmUser, or has the AdminLevel. */
bool level_reached(const struct mgr *mgr, enum admin_level least);

/* Refuses who has not reached it, in these words, as a query. */
void level_refuse(struct mgr *mgr, const char *why);
