/*
 * update.h - the two halves of scontrol update: what is allowed, and doing it. Private to this
 * folder.
 */
#pragma once

#include "common/msg/alter.h"
#include "common/msg/job.h"
#include "ctld/control/act/act.h"
#include "ctld/model/model.h"

/* How long a field of a job may be changed. */
enum update_until {
    UNTIL_START, /* a running job has it already */
    UNTIL_END,
    WHILE_WAITING, /* as Slurm: to one that runs it means nothing, and nobody is told so */
    SHRINKS,       /* one that runs may have fewer: see shrink.c */
};

struct update_rule {
    uint32_t tag; /* of job_spec or job_body */
    enum update_until until;
    enum caller_level who; /* of those who may alter the job */
    bool shapes;           /* what the job needs of nodes changes with it, or where it may go */
};

/* The rule of a field of job_spec; NULL: the field is what it was at the submission. */
const struct update_rule *update_find_rule(uint32_t tag);

/* Checks rights, and what the job's state leaves open, before anything is copied. */
int update_check_request(struct act *act, const struct job *job, const struct job_update *request,
                         struct err *err);

/* Puts what a request says about the time limit in other ways than by its value into `spec`, which
 * has the request's values; then fails unless the caller may have such a limit. */
int update_take_limit(struct act *act, const struct job *job, const struct job_update *request,
                      struct job_spec *spec, struct err *err);

/* Fails where the partitions that a waiting job names would not take what the request changes;
 * `rec` is the job as it would be then, in the partition `part`. */
int update_check_partitions(struct act *act, const struct job_record *rec,
                            const struct partition *part, const struct job_update *request,
                            struct err *err);

/* Alters jobs. Fails when none is named; what is refused to some of several is in the answer. */
int control_update(struct act *act, const struct job_update *request, struct job_altered *ret,
                   struct err *err);
