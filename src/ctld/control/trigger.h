/*
 * trigger.h - triggers: their rules, what has happened, and which of them that pulls.
 *
 * What happens is collected for a window of some seconds, so that nodes that go down together make
 * one run of a program. Idle times and what was seen of nodes count from the start of the
 * controller; the triggers themselves are kept.
 */
#pragma once

#include "common/msg/trigger.h"
#include "ctld/control/act.h"
#include "ctld/control/kept.h"
#include "ctld/model/model.h"

#define TRIGGER_WINDOW_MS 5000

struct trigger {
    struct trigger_record rec;
    struct bitset nodes; /* of a job: those it has, or had last */
};

/* What was seen of a node. */
struct trigger_node {
    uint32_t state;    /* bits of enum trigger_event that it is in */
    uint32_t happened; /* in this window */
    int64_t idle_ms;   /* since when it is idle; when it is */
};

struct triggers {
    bool is_looking;            /* there are some, and `nodes` is what was seen at the last turn */
    struct trigger_node *nodes; /* by index */
    uint32_t happened;          /* in this window, of what is no node's */
    int64_t begin_ms, end_ms;   /* the window */
};

extern const struct kept_rules trigger_rules;

void triggers_clear(struct triggers *triggers);

/* What is seen from here on is news. */
void triggers_restarted(struct act *act);
void triggers_reconfigured(struct act *act);

/* An operator has changed a node in any way: for Slurm that is a change of the configuration, too.
 */
void triggers_node_updated(struct control *control);

/* An operator has said State=RESUME. */
void triggers_node_resumed(struct control *control, const struct node *node);

/* Pulls and runs what is due. */
void triggers_close_window(struct act *act);

/* At the end of every turn: triggers see what has changed; every few seconds it pulls triggers for
 * it. */
void control_watch_triggers(struct act *act);
