/* array.h - job arrays: records that stand for several tasks, and those that users name. */
#pragma once

#include "ctld/control/act/act.h"
#include "ctld/model/model.h"

/* The record of one task, which is `job` itself if it stands for no other; a new one is noted. */
struct job *array_take(struct act *act, struct job *job, uint32_t task);

/* Sets how many tasks of the array may run at once, 0: all. Those that run go on. */
void array_set_limit(struct act *act, struct array *array, uint32_t limit);

/* A record that is named, or some of the tasks that it stands for. */
struct named_job {
    struct job *job;
    struct bitset part; /* of job->tasks; size 0: the record as it is */
};

/*
 * The records that a job id and task numbers (NULL: all) name: a job, a task of an array, or those
 * of an array. E_JOB_ID where there is none, E_ACCESS where the caller may not alter one. Nothing
 * changes; *ret is for named_jobs_free.
 */
int jobs_named(const struct control *control, const struct caller *caller, uint32_t job_id,
               const char *tasks, struct named_job **ret, uint32_t *ret_n, struct err *err);
void named_jobs_free(struct named_job *named, uint32_t n);

/* The record of exactly what is named: one of which only some tasks are named is split now. */
struct job *named_job_take(struct act *act, const struct named_job *named);
