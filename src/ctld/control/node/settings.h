/* settings.h - when nodes read their configuration again, and what they set until then. */
#pragma once

#include "common/msg/hook.h"
#include "common/msg/node.h"
#include "ctld/control/act/act.h"
#include "ctld/control/node/node_act.h"
#include "ctld/model/model.h"

/* Lets all nodes read their configuration again: those that have a session now, others when they
 * come back. Jobs and steps do not notice. */
void control_nodes_reconfigure(struct act *act);

/*
 * Sends a setting of NODE_ACT_DEBUG_* to these nodes, for the time until they next read their
 * configuration. Those without a session do not hear of it: *ret_absent is a host list of them, the
 * caller's, NULL when there are none. Fails when a name is no node's; no node is told then.
 */
int control_nodes_set(struct act *act, const char *names, enum node_act what, const char *value,
                      char **ret_absent, struct err *err);

/* Lets a node that has registered read its configuration again if it missed the order to. */
void node_settings_registered(struct act *act, const struct node *node,
                              const struct node_register *reg);
