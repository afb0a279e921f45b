/*
 * amend.h - what may still be changed of a job's record, also when the job ended long ago: remarks,
 * the exit code that its owner thinks it deserves, and its wckey (sacctmgr modify job). A job of
 * the history that has no end gets one (sacctmgr show runawayjobs).
 */
#pragma once

#include "common/msg/job.h"

#define JOB_AMENDMENT(FIELD, LIST, PART)                                                           \
    FIELD(1, U32S, set, 0, "tags of the members that count: enum job_amendment_tag")               \
    FIELD(2, STR, comment, FIELD_LINES, "like the others: absent where it becomes nothing")        \
    FIELD(3, STR, admin_comment, FIELD_LINES, "an operator's remark")                              \
    FIELD(4, STR, system_comment, FIELD_LINES, "likewise")                                         \
    FIELD(5, STR, extra, FIELD_LINES, "of the job")                                                \
    FIELD(6, STR, wckey, 0, "the job counts for it from its beginning on")                         \
    FIELD(7, I32, derived_status, 0, "as a wait status")                                           \
    FIELD(8, STR, user, 0, "who did it; the controller fills it in")                               \
    FIELD(9, U32, uid, 0, "the same")                                                              \
    FIELD(10, BOOL, ends, 0, "a job without an end that no controller has: it ends as COMPLETED")
SCHEMA_DECLARE(job_amendment, JOB_AMENDMENT);

#define AMENDMENT_TEXT_MAX 65536u /* bytes of each text */

#define JOB_AMENDMENT_TAG(tag, kind, member, flags, help) AMENDMENT_TAG_##member = tag,
enum job_amendment_tag { JOB_AMENDMENT(JOB_AMENDMENT_TAG, JOB_AMENDMENT_TAG, JOB_AMENDMENT_TAG) };
#undef JOB_AMENDMENT_TAG

/* A job is named by its number and its launch number. One that is not there any more is passed
 * over. */
#define HISTORY_AMEND_MAX 200 /* jobs of one request, which is done as a whole or not at all */
#define HISTORY_AMEND(FIELD, LIST, PART)                                                           \
    FIELD(1, U32S, job_ids, 0, "of these jobs")                                                    \
    FIELD(2, U32S, runs, 0, "and these runs of them, as many")                                     \
    PART(3, job_amendment, amendment, FIELD_REQUIRED, "what becomes of them")
SCHEMA_DECLARE(history_amend, HISTORY_AMEND);

bool job_amendment_sets(const struct job_amendment *amendment, enum job_amendment_tag tag);

/* Changes the record. */
void job_amend(struct job_record *job, const struct job_amendment *amendment);

/* Ends a job that has no end: when it was last heard of. */
void job_amend_end(struct job_record *job);

/* Appends what changes, in the words of Slurm's transactions: "derived_es='too slow'". */
void job_amendment_format(const struct job_amendment *amendment, struct strbuf *out);
