/* trigger.h - programs that are run on the controller's host when something happens: strigger. */
#pragma once

#include "common/schema/schema.h"

/* What a trigger waits for, as bits; it may wait for several. */
enum trigger_event {
    TRIGGER_DOWN = 1,
    TRIGGER_UP = 2,
    TRIGGER_DRAINED = 4,
    TRIGGER_FAIL = 8,
    TRIGGER_IDLE = 16,
    TRIGGER_RECONFIG = 32,
    TRIGGER_TIME = 64,      /* a job's limit */
    TRIGGER_FINI = 128,     /* a job's end */
    TRIGGER_STARTED = 256,  /* the controller has started again */
    TRIGGER_DRAINING = 512, /* jobs are left on a node that takes no more */
    TRIGGER_RESUME = 1024   /* a node was set to State=RESUME */
};
#define TRIGGER_EVENTS_OF_JOBS (TRIGGER_TIME | TRIGGER_FINI)
#define TRIGGER_OFFSET_MAX     32000 /* seconds, before or after */
#define TRIGGERS_MAX           10000
#define TRIGGER_PROGRAM_MAX    4096 /* bytes */

/* A trigger. A request leaves out what the controller gives. */
#define TRIGGER_RECORD(FIELD, LIST, PART)                                                          \
    FIELD(1, U32, id, 0, "the controller gives it")                                                \
    FIELD(2, U32, events, FIELD_REQUIRED, "bits of enum trigger_event")                            \
    FIELD(3, U32, job_id, 0, "this job, or its nodes; 0: of no job")                               \
    FIELD(4, STR, nodes, 0, "these; absent: all, or the job's")                                    \
    FIELD(5, I32, offset_s, 0, "after the event, or before it where that is known")                \
    FIELD(6, STR, program, FIELD_REQUIRED, "its path, and arguments after blanks")                 \
    FIELD(7, BOOL, permanent, 0, "stays after the event")                                          \
    FIELD(8, U32, uid, 0, "who set it")                                                            \
    FIELD(9, STR, user, 0, "their name")                                                           \
    FIELD(10, I64, set_ms, 0, "cluster time")                                                      \
    FIELD(11, STR, pulled, 0, "the event has come: the program's argument")                        \
    FIELD(12, I64, due_ms, 0, "of a pulled one, when the program is run: cluster time")
SCHEMA_DECLARE(trigger_record, TRIGGER_RECORD);

/* Returns the word of an event, such as "down"; several together are "unknown", as Slurm says. */
const char *trigger_event_name(uint32_t events);
