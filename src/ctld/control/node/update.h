/* update.h - nodes that go down, drain and come back. */
#pragma once

#include "common/msg/node.h"
#include "ctld/control/act/act.h"
#include "ctld/model/model.h"

/* Fails unless control_node_update would do the request. */
int control_node_check_update(const struct control *control, const struct caller *caller,
                              const struct node_update *request, struct err *err);

/* Changes state, reason and what an operator notes of nodes; what slurm.conf says is changed
 * there. */
int control_node_update(struct act *act, const struct node_update *request, struct err *err);

/* Sets the node's reason, and who gave it when; without a text: none. */
void node_set_reason(struct node *node, struct moment now, const char *reason, uint32_t uid);

/* Drains the node: it starts nothing more until an operator says so. An earlier reason stays. */
void node_drain_for(struct act *act, struct node *node, const char *reason);

/* Sets the node down; its jobs fail. `unexpected`: it may return by itself. */
void node_go_down_for(struct act *act, struct node *node, const char *reason, bool unexpected);

/* Clears reason and resume time of a node with which nothing is wrong any more. */
void node_settle(struct node *node, struct moment now);

/* ResumeAfter=: resumes a node that was set down or drained for so long. */
void node_resume_tick(struct act *act, struct node *node);
