/*
 * outage.h - since when nodes can not be used, and what the cluster consists of, as events for the
 * history (common/msg/cluster_event.h).
 *
 * A node that is down, in state FUTURE, or drained or failing without a job on it has an event that
 * goes on, in its record; the cluster always has one, in its own.
 */
#pragma once

#include "ctld/control/act/act.h"
#include "ctld/model/model.h"

/* Looks at the nodes that have changed in this turn, and notes what has begun and ended. */
void control_note_outages(struct act *act);

/* Looks at the cluster and all its nodes: it has begun, or has other nodes than before. */
void outage_look_at_all(struct act *act);

/* Ends the events of nodes of an earlier configuration that this one does not have. */
void outage_leave(struct act *act, struct model *before);

/* Loads the record of a node that left the configuration while no controller was there. */
void outage_load_left(struct control *control, const struct node_record *rec);

/* Ends the events of such nodes: when they left nobody knows. */
void outage_leave_left(struct act *act);
void outage_clear_left(struct control *control);
