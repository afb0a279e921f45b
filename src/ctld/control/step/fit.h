/* fit.h - whether a job has room for a step beside those that run. Pure. */
#pragma once

#include "ctld/control/step/use.h"
#include "ctld/control/step/want.h"

/* Fails unless the step could ever run in its job: it must fit when no other step runs. */
int step_want_check(const struct job *job, const struct step_want *want, struct err *err);

/* True if the step fits now; then ret_tasks has the tasks on each node of the job. */
bool step_fits(const struct job *job, const struct step_want *want, const struct step_use *uses,
               uint32_t *ret_tasks);

/* MB for a step that has `part` of its job's `place`: for its gpus there, if it asks so; MB_UNSET:
 * the job's memory is not shared out. */
uint64_t step_memory_of(const struct step_want *want, const struct job_node *place,
                        const struct step_node *part);
