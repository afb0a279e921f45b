/*
 * trigger.h - triggers: their rules, what has happened, and which of them that pulls.
 *
 * What happens is collected for a window of some seconds, so that nodes that go down together make
 * one run of a program. Idle times and what was seen of nodes count from the start of the
 * controller; the triggers themselves are kept.
 */
#pragma once

#include "common/msg/trigger.h"
#include "ctld/control/act/act.h"
#include "ctld/control/act/kept.h"
#include "ctld/model/model.h"

/* What has happened lately. Owned by the control; what is in it is trigger.c's. */
struct triggers;

struct triggers *triggers_new(void);
struct triggers *triggers_free(struct triggers *triggers);

extern const struct kept_rules trigger_rules;

/* Takes all that is seen from here on as news. */
void triggers_restarted(struct act *act);
void triggers_reconfigured(struct act *act);

/* Notes that an operator has changed a node in any way: for Slurm that is a change of the
 * configuration, too. */
void triggers_node_updated(struct control *control);

/* Notes that an operator has said State=RESUME. */
void triggers_node_resumed(struct control *control, const struct node *node);

/* Pulls and runs the triggers that are due. */
void triggers_close_window(struct act *act);

/* Shows triggers at the end of a turn what has changed; every few seconds it pulls those that wait
 * for it. */
void control_watch_triggers(struct act *act);
