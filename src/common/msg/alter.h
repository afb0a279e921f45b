/*
 * alter.h - changing jobs that are there: what scontrol's verbs ask, and what it came to.
 *
 * A request names a job, an array, or with `tasks` some of an array ("1-5,7"). JOB_ALTERED answers
 * it, for what can be done with some of them may be impossible with others.
 */
#pragma once

#include "common/msg/job.h"

enum job_hold {
    HOLD_KEEP,    /* as it is */
    HOLD_AS_USER, /* its owner may release it, whoever held it */
    HOLD,         /* one that an operator holds only an operator may release */
    HOLD_RELEASE,
};

/*
 * Changes a job. `set` holds the tags of the fields of `spec` and `body` that are to be changed:
 * see job_spec_tag and job_body_tag, which share no number. For each job either all of the request
 * is done or nothing.
 */
#define JOB_UPDATE(FIELD, LIST, PART)                                                              \
    FIELD(1, U32, job_id, FIELD_REQUIRED, "job, or all tasks of an array")                         \
    FIELD(2, STR, tasks, 0, "of an array: these; absent: all")                                     \
    PART(3, job_spec, spec, 0, "new values")                                                       \
    FIELD(4, U32S, set, 0, "which of them and of the body's")                                      \
    FIELD(5, ENUM, hold, 0, "enum job_hold")                                                       \
    FIELD(6, COUNT, array_limit, 0, "how many tasks of the array run at once; 0: any")             \
    FIELD(7, I64, more_time_s, 0, "added to the time limit")                                       \
    FIELD(8, TIME, end_time, 0, "the time limit is what leads to that end")                        \
    FIELD(9, U32, cpus, 0, "fewest in all, as so many on each; 0: as it is")                       \
    FIELD(10, BOOL, reset_accrue, 0, "its age counts from now on")                                 \
    PART(11, job_body, body, 0, "new values")
SCHEMA_DECLARE(job_update, JOB_UPDATE);

enum requeue_flags {
    REQUEUE_HOLD = 1,         /* it waits until it is released */
    REQUEUE_SPECIAL_EXIT = 2, /* and is shown as SPECIAL_EXIT meanwhile */
    REQUEUE_INCOMPLETE = 4,   /* jobs that are over stay so */
};

#define JOB_RERUN(FIELD, LIST, PART)                                                               \
    FIELD(1, U32, job_id, FIELD_REQUIRED, "job, or all tasks of an array")                         \
    FIELD(2, STR, tasks, 0, "of an array: these; absent: all")                                     \
    FIELD(3, U32, flags, 0, "enum requeue_flags")
SCHEMA_DECLARE(job_rerun, JOB_RERUN);

#define JOB_SUSPEND(FIELD, LIST, PART)                                                             \
    FIELD(1, U32, job_id, FIELD_REQUIRED, "job, or all tasks of an array")                         \
    FIELD(2, STR, tasks, 0, "of an array: these; absent: all")                                     \
    FIELD(3, BOOL, resume, 0, "go on")
SCHEMA_DECLARE(job_suspend, JOB_SUSPEND);

#define JOB_TOP(FIELD, LIST, PART)                                                                 \
    FIELD(1, U32, job_id, FIELD_REQUIRED, "job, or all tasks of an array")                         \
    FIELD(2, STR, tasks, 0, "of an array: these; absent: all")
SCHEMA_DECLARE(job_top, JOB_TOP);

/* Changes a step. Answered by MSG_OK. */
#define STEP_UPDATE(FIELD, LIST, PART)                                                             \
    FIELD(1, U32, job_id, FIELD_REQUIRED, "job, or all tasks of an array")                         \
    FIELD(2, STR, tasks, 0, "of an array: these; absent: all")                                     \
    FIELD(3, COUNT, step_id, 0, "absent: all steps that run")                                      \
    FIELD(4, LIMIT, time_limit, 0, "seconds; unset: as it is")                                     \
    FIELD(5, I64, more_time_s, 0, "added to that, where there is a limit")
SCHEMA_DECLARE(step_update, STEP_UPDATE);

/* A text for the stderr of the job's salloc or srun. Answered by MSG_OK. */
#define JOB_NOTIFY(FIELD, LIST, PART)                                                              \
    FIELD(1, U32, job_id, FIELD_REQUIRED, "job")                                                   \
    FIELD(2, STR, text, FIELD_REQUIRED | FIELD_LINES, "for whoever sits there")
SCHEMA_DECLARE(job_notify, JOB_NOTIFY);

/* Jobs, or tasks of one array, that were left unchanged for the same cause. */
#define JOB_REFUSAL(FIELD, LIST, PART)                                                             \
    FIELD(1, U32, job_id, FIELD_REQUIRED, "job, or the array that `tasks` are of")                 \
    FIELD(2, STR, tasks, 0, "as \"1-5,7\"; absent: it is no part of an array")                     \
    FIELD(3, U32, code, 0, "an errno or E_ number")                                                \
    FIELD(4, STR, text, 0, "for people")
SCHEMA_DECLARE(job_refusal, JOB_REFUSAL);

#define JOB_ALTERED(FIELD, LIST, PART) LIST(1, job_refusal, refused, 0, "the others are done")
SCHEMA_DECLARE(job_altered, JOB_ALTERED);
