/* schedule.h - turning what the planner decides into starts. */
#pragma once

#include "ctld/control/act/act.h"

/* Plans and starts jobs, at most `work` units; true when there is more to do. */
bool control_schedule(struct act *act, uint32_t work);

/* How many calls of control_schedule had something to do. */
uint64_t control_passes(const struct control *control);
