/*
 * event.h - what happened and what users did: one record for each event, kept with its turn.
 *
 * A record says what a thing is now; an event says how that came, who did it, and what was refused.
 */
#pragma once

#include "common/schema/schema.h"

/* The kinds of events. Their numbers never change. */
enum event_kind {
    EVENT_CONTROLLER_STARTED = 1,
    EVENT_RECONFIGURED = 2,
    EVENT_JOB_SUBMITTED = 10,
    EVENT_JOB_STARTED = 11,
    EVENT_JOB_ENDED = 12,
    EVENT_JOB_REQUEUED = 13, /* a run is over and the job waits again */
    EVENT_NODE_CHANGED = 20, /* `text` is its state now, and the reason */
    EVENT_ACCOUNTING = 29,   /* a user has changed records of accounts: `what`, and of whom */
    EVENT_REQUEST = 30,      /* a user has changed something in another way: `what` says how */
    EVENT_REFUSED = 31,      /* a user wanted to */
};

#define EVENT_RECORD(FIELD, LIST, PART)                                                            \
    FIELD(1, ENUM, kind, FIELD_REQUIRED, "enum event_kind")                                        \
    FIELD(2, I64, time_ms, FIELD_REQUIRED, "wall clock, since 1970")                               \
    FIELD(3, BOOL, has_caller, 0, "a user did it: uid counts")                                     \
    FIELD(4, U32, uid, 0, "who did it")                                                            \
    FIELD(5, STR, user, 0, "their name")                                                           \
    FIELD(6, STR, host, 0, "where from, when not from the controller's machine")                   \
    FIELD(7, U32, job_id, 0, "job it is about")                                                    \
    FIELD(8, U32, array_job_id, 0, "the array that the job is a task of")                          \
    FIELD(9, U32, array_task, 0, "its number there")                                               \
    FIELD(10, U32, owner_uid, 0, "of the job")                                                     \
    FIELD(11, HOSTS, nodes, 0, "nodes it is about")                                                \
    FIELD(12, STR, partition, 0, "partition it is about")                                          \
    FIELD(13, STR, what, 0, "name of the request")                                                 \
    FIELD(14, U32, code, 0, "of what was refused")                                                 \
    FIELD(15, STR, text, 0, "the rest, for people")                                                \
    FIELD(16, U32, run, 0, "launch number of the job")                                             \
    FIELD(17, U64, turn, 0, "the turn it is of; told to readers, not kept in the record")          \
    FIELD(18, U32, place, 0, "its number in the turn, from 0; told to readers only, too")          \
    FIELD(19, STR, info, 0, "of records of accounts: which values they have now")                  \
    FIELD(20, U64, origin, 0, "number of the place where it happened; 0: here")                    \
    FIELD(21, I64, came_ms, 0, "wall clock when it came from there: times in the table rise")
SCHEMA_DECLARE(event_record, EVENT_RECORD);

/*
 * Asks for events, all or only those of a job, of nodes, since a moment, or the newest ones. With
 * `follow` the answer goes on for as long as it is read.
 */
#define EVENT_LIST(FIELD, LIST, PART)                                                              \
    FIELD(1, TIME, since, 0, "not before this moment")                                             \
    FIELD(2, U32S, job_ids, FIELD_CRITICAL, "of these jobs and arrays, or all")                    \
    FIELD(3, HOSTS, nodes, FIELD_CRITICAL, "of these nodes, or all")                               \
    FIELD(4, BOOL, follow, FIELD_CRITICAL, "then go on with those to come")                        \
    FIELD(5, U32, newest, 0, "only so many of those that there are, the newest; 0: all")           \
    FIELD(6, ENUM, kind, FIELD_CRITICAL, "only of this kind; 0: all")
SCHEMA_DECLARE(event_list, EVENT_LIST);

/* Appends one line for people, without the time: "job 12 started on n[1-2] ..." */
void event_format(const struct event_record *event, struct strbuf *out);
