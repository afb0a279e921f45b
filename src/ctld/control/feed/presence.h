/*
 * presence.h - which nodes the planner counts on: the usable ones, and those that are awaited.
 */
#pragma once

#include "ctld/control/act/act.h"
#include "ctld/model/model.h"
#include "ctld/sched/planner.h"

/* Tells the planner whether the node takes new work, after anything that may change it. */
void feed_node(struct act *act, const struct node *node);
/* Fill, for a new planner, which nodes are usable, `nodes` being all, and which are awaited
 * (borrowed). */
void feed_fill_presence(struct act *act, struct plan_node *nodes);
struct plan_reservation feed_absence(const struct control *control, struct plan_span *span);
