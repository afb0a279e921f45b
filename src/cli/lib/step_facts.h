/*
 * step_facts.h - what follows from a step's record, said once for all commands. Pure.
 *
 * As of job_facts.h, where commands differ they ask different functions.
 */
#pragma once

#include "common/msg/step.h"

/* Returns the seconds that the step has run, until `now` or its end; 0 while it waits. */
int64_t step_run_time(const struct step_record *step, int64_t now);

/* Returns the step's time limit; LIMIT_UNSET: its job's alone counts, as for a batch step. */
int64_t step_time_limit(const struct step_record *step);

/* Returns the step's state in a job's words (enum job_state). sacct says of some steps another. */
uint32_t step_job_state(const struct step_record *step);

/* Cpu time that steps used, as far as it was told. */
struct cpu_times {
    uint64_t user_us, system_us;
};
struct cpu_times step_cpu_times(const struct step_record *steps, uint32_t n);

/* Which of the amounts that its tasks used is meant. */
enum usage_pick { PICK_MAX, PICK_MIN, PICK_AVERAGE, PICK_TOTAL };

/* Returns the picked amount of a step whose usage has tasks. */
uint64_t step_usage_amount(const struct step_record *step, const struct usage_spread *spread,
                           enum usage_pick pick);

/* Return the node and the task that used most, or least. */
const char *step_usage_node(const struct step_record *step, const struct usage_spread *spread,
                            enum usage_pick pick);
uint32_t step_usage_task(const struct usage_spread *spread, enum usage_pick pick);
