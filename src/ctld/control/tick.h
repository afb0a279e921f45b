/* tick.h - what is due by now, of jobs, steps and nodes, and when the next thing is. */
#pragma once

#include "ctld/control/act/act.h"
#include "ctld/model/model.h"

/* Does what is due: limits, KillWait, SlurmdTimeout, MinJobAge, --begin. Call when control_next_ms
 * is reached. */
void control_tick(struct act *act);

/* Cluster time at which control_tick has something to do next; INT64_MAX: nothing. */
int64_t control_next_ms(const struct control *control, struct moment now);
