/* health.h - HealthCheckProgram: which nodes are told to run it, and when. */
#pragma once

#include "ctld/control/act/act.h"
#include "ctld/model/model.h"

/* Orders health checks by HealthCheckInterval and HealthCheckNodeState; asks to be woken for the
 * next. */
void health_tick(struct act *act);

/* Orders the health check of a node whose slurmd has started. */
void health_at_start(struct act *act, const struct node *node);
