/* converge.h - a node that registers and the model are made to agree about jobs. */
#pragma once

#include "common/msg/node.h"
#include "ctld/control/act/act.h"
#include "ctld/model/model.h"

/* Compares the jobs that a registering node holds with those it should hold, and orders what makes
 * them agree. */
void node_converge(struct act *act, struct node *node, const struct node_register *reg);
