/*
 * change.h - what one turn of the controller wants kept, as a value: the store writes it to its
 * database, and it could as well be sent to a standby.
 *
 * Records are encoded messages (job_record, step_record, those of kept.h), so that noting a change
 * freezes it. Applying the changes of turns 1..n in order gives the state after turn n.
 */
#pragma once

#include <string.h>

#include "common/msg/common.h"
#include "common/msg/kept.h"

enum change_kind {
    CHANGE_JOB = 1,       /* record is the job_record as it is now */
    CHANGE_JOB_RETIRE,    /* the job leaves memory (MinJobAge); history keeps it */
    CHANGE_STEP,          /* record is the step_record as it is now */
    CHANGE_BLOB = 5,      /* record is the blob's bytes, sha256 its name */
    CHANGE_NUMBER,        /* number is kept under name: cluster time, next job id */
    CHANGE_RUN,           /* a requeue: record is the job_record as it was at the end of that run */
    CHANGE_KEPT = 9,      /* record is what the kept record `name` is now; empty: it is gone */
    CHANGE_PURGE,         /* record is the purge_record that says what leaves the history */
    CHANGE_EVENT,         /* record is the event_record of what happened; job_id and run, if any */
    CHANGE_CLUSTER_EVENT, /* record is the cluster_event as it is now, by its node and beginning */
    CHANGE_AMEND, /* record is the job_amendment of a job or run, whose record stays otherwise */
    CHANGE_SUMS,  /* of a copy: record is a sums_copied */
    CHANGE_SUMS_WHOLE, /* record is a sums_whole, of which the rest is kept */
};

/* What of a job the history does not keep (AccountingStorageEnforce). Until the job leaves memory
 * its record and steps are in the database all the same, for a controller that starts again. */
enum unrecorded {
    UNRECORDED_NOTHING,
    UNRECORDED_STEPS, /* the job is kept, its steps are not */
    UNRECORDED_ALL,
};

#define CHANGE_FIELDS(FIELD, LIST, PART)                                                           \
    FIELD(1, ENUM, kind, FIELD_REQUIRED | FIELD_CRITICAL, "enum change_kind")                      \
    FIELD(2, U32, job_id, 0, "job it is about")                                                    \
    FIELD(3, U32, step_id, 0, "step it is about")                                                  \
    FIELD(4, STR, name, 0, "key of a kept record, or name of the number")                          \
    FIELD(5, BLOB, record, 0, "encoded record, or a blob's bytes")                                 \
    FIELD(6, BLOB, sha256, 0, "of a blob")                                                         \
    FIELD(7, I64, number, 0, "of CHANGE_NUMBER")                                                   \
    FIELD(8, U32, run, 0, "launch number of a job, step or run")                                   \
    FIELD(9, BOOL, is_end, 0, "of CHANGE_JOB: the job has just ended")                             \
    FIELD(10, ENUM, kept, 0, "of CHANGE_KEPT: enum kept_number")                                   \
    FIELD(11, BLOB, body, 0, "encoded job_body of a job's end or a run, for who tells of it")      \
    FIELD(12, BOOL, is_body, 0, "of CHANGE_BLOB: it is an encoded job_body")                       \
    FIELD(13, BOOL, is_past, 0, "of a job's end or a run: it was taken over; JobComp is not told") \
    FIELD(14, ENUM, unrecorded, 0, "of a job, run or step: enum unrecorded, of its job")           \
    FIELD(15, BOOL, goes_on, 0, "of CHANGE_JOB_RETIRE: the job never ended, which reports tell")
SCHEMA_DECLARE(change, CHANGE_FIELDS);

/* Returns what a change takes in memory, with what it owns. */
static inline uint64_t change_bytes(const struct change *change)
{
    return sizeof(*change) + change->record.n + change->sha256.n + change->body.n +
           (change->name ? strlen(change->name) + 1 : 0);
}

/* What is removed from the history. Jobs in memory always stay, as do blobs that a job names. */
#define PURGE_RECORD(FIELD, LIST, PART)                                                            \
    FIELD(1, TIME, jobs_before, 0, "jobs that ended before leave with their steps; 0: none")       \
    FIELD(2, TIME, steps_before, 0, "steps of jobs that ended before; 0: none")                    \
    FIELD(3, BOOL, blobs, 0, "and blobs that no job names")                                        \
    FIELD(4, TIME, events_before, 0, "events of before, but for transactions; 0: none")            \
    FIELD(5, TIME, transactions_before, 0, "transactions of before; 0: none")                      \
    FIELD(6, TIME, usage_before, 0, "sums of hours, days and months that ended before; 0: none")
SCHEMA_DECLARE(purge_record, PURGE_RECORD);

/* A turn that is a piece of a copy of another place's history, and what gives way to what. */
enum turn_merge {
    TURN_MERGE_BEGINS = 1, /* the copy is right, and this is its first piece */
    TURN_MERGE_RIGHT,      /* the copy is right; what only is here stays */
    TURN_MERGE_LACKING,    /* what is here is right; what is not comes, as history */
};

#define TURN_CHANGES(FIELD, LIST, PART)                                                            \
    FIELD(1, U64, turn, FIELD_REQUIRED, "rises by one with every turn that changes something")     \
    LIST(2, change, changes, 0, "in the order they happened")                                      \
    FIELD(3, ENUM, merge, FIELD_CRITICAL, "enum turn_merge; 0: it happened here")
SCHEMA_DECLARE(turn_changes, TURN_CHANGES);
