/*
 * presence.h - which nodes the planner counts on: the usable ones, and those that are awaited.
 */
#pragma once

#include "ctld/control/act/act.h"
#include "ctld/model/model.h"
#include "ctld/sched/planner.h"

/* After anything that may change whether the node takes new work. */
void feed_node(struct act *act, const struct node *node);
/* Before all else is told: who is usable, `nodes` being all; and who is awaited, borrowed. */
void feed_fill_presence(struct act *act, struct plan_node *nodes);
struct plan_reservation feed_absence(const struct control *control);
