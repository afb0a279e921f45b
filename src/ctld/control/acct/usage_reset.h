/*
 * usage_reset.h - PriorityUsageResetPeriod: when usage is forgotten. For this room only.
 */
#pragma once

#include "ctld/control/act/act.h"

/* Forgets what was used, also by jobs that run. In usage.c. */
void usage_forget_all(struct act *act);

/* After a start or a new configuration: forgets usage that is due, or with NOW. */
void usage_reset_settle(struct act *act);

/* Returns the cluster time of the next end of a period; INT64_MAX: there is none. */
int64_t usage_reset_ms(const struct control *control, struct moment now);
