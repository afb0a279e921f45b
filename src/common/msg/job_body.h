/*
 * job_body.h - the half of a job's request that nobody but its owner's processes acts on: script,
 * arguments, environment, directory, names of files.
 *
 * A body never changes. Its name is the SHA-256 of its encoding, under which it is kept as a blob,
 * once for all jobs that have it. Whoever asks for another directory makes another body.
 *
 * Its tags were those of job_spec before bodies were, and job_spec gives them to nothing else: so
 * one number names a member of either (alter.h).
 */
#pragma once

#include "common/msg/step.h"

#define JOB_BODY(FIELD, LIST, PART)                                                                \
    FIELD(37, STR, work_dir, FIELD_RAW, "where the tasks start")                                   \
    FIELD(38, STR, std_in, FIELD_RAW, "pattern, absent: /dev/null")                                \
    FIELD(39, STR, std_out, FIELD_RAW, "pattern, absent: slurm-%j.out")                            \
    FIELD(40, STR, std_err, FIELD_RAW, "pattern, absent: where stdout goes")                       \
    FIELD(41, ENUM, open_mode, 0, "enum open_mode")                                                \
    FIELD(42, U32, umask, 0, "of the submitting shell")                                            \
    LIST(43, rlimit_spec, limits, 0, "soft limits to propagate")                                   \
    FIELD(44, STRS, script_args, FIELD_RAW, "arguments of the batch script, without its name")     \
    FIELD(45, BLOB, script_sha256, 0, "batch script")                                              \
    FIELD(46, BLOB, environment_sha256, 0, "of the batch script")                                  \
    FIELD(47, STR, command, FIELD_RAW, "path of the script or command, as scontrol shows it")      \
    FIELD(48, STR, submit_line, FIELD_RAW, "the whole command line")
SCHEMA_DECLARE(job_body, JOB_BODY);

/* Tags, for requests that name fields: BODY_TAG_work_dir. */
#define JOB_BODY_TAG(tag, kind, member, flags, help) BODY_TAG_##member = tag,
enum job_body_tag { JOB_BODY(JOB_BODY_TAG, JOB_BODY_TAG, JOB_BODY_TAG) };
#undef JOB_BODY_TAG
