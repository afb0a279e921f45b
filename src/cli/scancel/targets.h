/*
 * targets.h - the jobs, steps and tasks that scancel is to end or signal, and doing so: all of them
 * beside one another.
 */
#pragma once

#include "cli/lib/command.h"
#include "cli/scancel/filter.h"

/* One request to the controller. */
struct scancel_target {
    uint32_t job_id;
    uint32_t step_id; /* NO_VAL: the whole job */
    char *tasks;      /* of an array; NULL: no array, or all of it */
};

/* The requests to send; { 0 } is empty. */
struct scancel_targets {
    struct scancel_target *at;
    uint32_t n;
};

void targets_clear(struct scancel_targets *targets);

/* Adds a request; `tasks` is copied. */
void targets_add(struct scancel_targets *targets, uint32_t job_id, const char *tasks,
                 uint32_t step_id);

/*
 * Signals the targets as the options say, prints what failed, and clears the list. Returns
 * scancel's exit status.
 */
int targets_signal(struct scancel_targets *targets, struct command *command,
                   const struct scancel_filter *filter);
