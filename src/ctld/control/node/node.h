/* node.h - what node daemons say. */
#pragma once

#include "common/msg/node.h"
#include "common/msg/step.h"
#include "ctld/control/act/act.h"

/* Takes a registration: compares what the node holds with what the model says, and orders what
 * makes them agree. */
int control_node_register(struct act *act, const char *address, const struct node_register *node,
                          struct err *err);

void control_node_seen(struct act *act, const char *node);
void control_node_lost(struct act *act, const char *node);

void control_step_report(struct act *act, const char *node, const struct step_report *report);

void control_node_report(struct act *act, const char *node, const struct node_report *report);
