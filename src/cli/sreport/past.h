/*
 * past.h - sums made of the history, for what the controller's sums do not tell apart: numbers of
 * jobs, groups, nodes.
 */
#pragma once

#include "cli/sreport/held.h"

bool past_is_asked(const struct ask *ask);

/* Loads the jobs that are meant and makes sums of them, by size. Returns 0, or -1 when that has
 * failed, which has been said. */
int past_load(struct sreport *sreport, const struct ask *ask, struct held *held);
