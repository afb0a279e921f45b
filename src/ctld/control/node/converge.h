/* converge.h - a node that registers and the model are made to agree about jobs. */
#pragma once

#include "common/msg/node.h"
#include "ctld/control/act/act.h"
#include "ctld/model/model.h"

/* The parts that registering has with jobs: what is held, and what should be. */
void node_converge(struct act *act, struct node *node, const struct node_register *reg);
