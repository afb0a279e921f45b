/*
 * event.h - notes what happens as events (common/msg/event.h), with time and caller of the act.
 */
#pragma once

#include "common/msg/event.h"
#include "ctld/control/act/act.h"
#include "ctld/model/model.h"

/* Note an event, also of a job. `text` may be NULL. */
void event_note(struct act *act, enum event_kind kind, const char *text);
void event_note_job(struct act *act, enum event_kind kind, const struct job *job, const char *text);

/* Notes that a job has just been taken: its priority. */
void event_note_submit(struct act *act, const struct job *job);

/* Notes that a job has just been given its nodes, and how many cpus these are. */
void event_note_start(struct act *act, const struct job *job, bool backfilled);

/* Notes that a job has just ended: state, exit code, how long it ran, and why if that is known. */
void event_note_end(struct act *act, const struct job *job);

/* Notes what a user has done to records of accounts: "Add Users", and to which one. */
void event_note_acct(struct act *act, const char *what, const char *name, const char *info);

/* Notes a node's record that has changed, and an event if the node is in another state than was
 * noted last, or for another reason. */
void node_note(struct act *act, struct node *node);

/* Takes the node's state of now as known, so that only another state is an event. */
void event_see_node(struct node *node);
