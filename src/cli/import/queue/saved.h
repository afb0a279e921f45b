/*
 * saved.h - the queue of another cluster in a file: what its commands said of each job.
 *
 * The file begins with a line that says what it is; then come messages, each behind its length: a
 * head, the jobs, an end that counts them. It is replaced as a whole, and on disk when
 * saved_write returns. It is root's alone, for it has scripts and environments of all users. What
 * is read is checked as bytes from anywhere are.
 */
#pragma once

#include "common/schema/schema.h"

enum queue_hold {
    QUEUE_HOLD_NONE,
    QUEUE_HOLD_USER,
    QUEUE_HOLD_ADMIN,
};

/* A record of squeue: a job, a task of an array, or tasks of one that wait together. */
#define QUEUE_JOB(FIELD, LIST, PART)                                                               \
    FIELD(1, U32, job_id, FIELD_REQUIRED, "of the record")                                         \
    FIELD(2, U32, array_id, 0, "0: it is in no array")                                             \
    FIELD(3, STR, tasks, 0, "of the array: 1-5,9")                                                 \
    FIELD(4, U32, uid, 0, "owner")                                                                 \
    FIELD(5, U32, gid, 0, "group it runs with")                                                    \
    FIELD(6, STR, user_name, FIELD_REQUIRED, "of uid")                                             \
    FIELD(7, BOOL, waits, 0, "it is PENDING")                                                      \
    FIELD(8, ENUM, hold, 0, "enum queue_hold: before an import held it")                           \
    FIELD(9, I32, nice, 0, "as squeue says it")                                                    \
    FIELD(10, STR, submitted, FIELD_REQUIRED, "when, as squeue says it")                           \
    FIELD(11, STR, shown, FIELD_RAW, "scontrol show job")                                          \
    FIELD(12, STR, std_out, FIELD_RAW, "pattern, as squeue says it")                               \
    FIELD(13, STR, std_err, FIELD_RAW, "the like")                                                 \
    FIELD(14, STR, std_in, FIELD_RAW, "the like")                                                  \
    FIELD(15, BLOB, script, 0, "byte for byte")                                                    \
    FIELD(16, BLOB, environment, 0, "variables, each ended by a zero byte; empty: not kept")       \
    FIELD(17, STR, admin_comment, FIELD_RAW, "as squeue says it: in `shown` users may write one")
SCHEMA_DECLARE(queue_job, QUEUE_JOB);

#define QUEUE_HEAD(FIELD, LIST, PART)                                                              \
    FIELD(1, STR, cluster, FIELD_REQUIRED, "ClusterName there")                                    \
    FIELD(2, TIME, saved, FIELD_REQUIRED, "when this was written")                                 \
    FIELD(3, BOOL, holds, 0, "its jobs were held after this was first written")                    \
    FIELD(4, BOOL, held, 0, "and are")
SCHEMA_DECLARE(queue_head, QUEUE_HEAD);

#define QUEUE_END(FIELD, LIST, PART)                                                               \
    FIELD(100, U32, jobs_n, 0, "how many come before it")                                          \
    FIELD(101, BOOL, is_end, FIELD_REQUIRED, "no job has this tag")
SCHEMA_DECLARE(queue_end, QUEUE_END);

struct saved {
    struct queue_head head;
    struct queue_job *jobs;
    uint32_t jobs_n;
};

/* Fails with ENOENT when there is no such file. `ret` is { 0 } before, and after a failure. */
int saved_read(const char *path, struct saved *ret, struct err *err);

/* Reads a file's bytes, for which `name` stands in errors. */
int saved_parse(const char *name, const void *bytes, size_t n, struct saved *ret, struct err *err);
int saved_write(const char *path, const struct saved *saved, struct err *err);

/* Returns the record of this number and time of submission, or NULL. */
const struct queue_job *saved_find(const struct saved *saved, const struct queue_job *like);
void saved_clear(struct saved *saved);
void saved_auto_(struct saved *saved);
