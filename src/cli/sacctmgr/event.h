/* event.h - when nodes could not be used, and what the cluster consisted of. */
#pragma once

#include "cli/sacctmgr/sacctmgr.h"

/* Lists them as the words say. */
int event_list(struct mgr *mgr, const struct acct_line *line);
