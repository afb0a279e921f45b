/*
 * node_act.h - telling nodes to do something for themselves: run HealthCheckProgram, reboot, read
 * their configuration, or set something of it.
 *
 * Only nodes that have said, when they registered, that their slurm.conf names such a program are
 * ordered to run it.
 */
#pragma once

#include "common/msg/hook.h"
#include "ctld/control/act/act.h"
#include "ctld/model/model.h"

/* Orders an act of a node. `value` goes with acts that set something; else it is NULL. */
void node_act(struct act *act, const struct node *node, enum node_act what, const char *value);
