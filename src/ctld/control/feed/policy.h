/* policy.h - SchedulerType, SelectTypeParameters and SchedulerParameters, as the planner takes
 * them. */
#pragma once

#include "ctld/model/model.h"
#include "ctld/sched/planner.h"

/* What the configuration sets for the planner; limits that it does not set are none. */
struct plan_policy control_policy(const struct model_config *config);
