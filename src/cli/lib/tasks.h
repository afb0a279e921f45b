/*
 * tasks.h - tasks of job arrays, as users name them and as commands show them. Pure.
 */
#pragma once

#include "common/base/bitset.h"
#include "common/msg/job.h"
#include "common/msg/step.h"
#include "common/text/jobid.h"

/* Reads SLURM_BITSTR_LEN as job_tasks_format takes it: 64 when not given, 0 for no number. */
uint32_t tasks_read_length(const char *text);

/*
 * True if one of the references names the whole record: by its own id, or by its array's id without
 * a task. No references name everything.
 */
bool refs_name_job(const struct job_refs *refs, const struct job_record *job);

/* Finds the tasks of the record that are named one by one, as "12_3". `ret` must be empty. */
void refs_name_tasks(const struct job_refs *refs, const struct job_record *job, struct bitset *ret);

/* True if the record, or one of its tasks, is named. */
bool refs_name_part(const struct job_refs *refs, const struct job_record *job);

/* Finds the tasks that the record stands for; none where it is no part of an array. */
void job_tasks(const struct job_record *job, struct bitset *ret);

/*
 * Returns the tasks, as "1-5,7", that the references from *at on name, as long as they are of one
 * job and step; NULL when they name no tasks. *at moves behind them, by one at least. To be freed.
 */
char *refs_take_tasks(const struct job_refs *refs, uint32_t *at);

/* Returns the reference to a step: "10_2.0" of an array's task, else "12.0". */
struct job_ref step_ref(const struct step_record *step);

/* True if one of the references names the step, or its job, task or array; none name everything. */
bool refs_name_step(const struct job_refs *refs, const struct step_record *step);

/* Returns the record as if it were that task's own. Borrows everything; not to be cleared. */
struct job_record job_as_task(const struct job_record *job, uint32_t task);
