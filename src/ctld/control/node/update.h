/* update.h - nodes that go down, drain and come back. */
#pragma once

#include "common/msg/node.h"
#include "ctld/control/act/act.h"
#include "ctld/model/model.h"

/* Whether the next one would be done. */
int control_node_check_update(const struct control *control, const struct caller *caller,
                              const struct node_update *request, struct err *err);

/* State, reason and what an operator notes; what slurm.conf says is changed there. */
int control_node_update(struct act *act, const struct node_update *request, struct err *err);

/* Without a text: none. */
void node_set_reason(struct node *node, struct moment now, const char *reason, uint32_t uid);

/* It starts nothing more until an operator says so. An earlier reason stays. */
void node_drain_for(struct act *act, struct node *node, const char *reason);

/* Down: its jobs fail. `unexpected`: it may return by itself. */
void node_go_down_for(struct act *act, struct node *node, const char *reason, bool unexpected);

/* Where nothing is wrong with it any more, there is no reason, and nothing to resume. */
void node_settle(struct node *node, struct moment now);

/* ResumeAfter= of one that was set down or drained. */
void node_resume_tick(struct act *act, struct node *node);
