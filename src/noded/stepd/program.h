/*
 * program.h - which program a task of a step with several of them runs (srun --multi-prog). Pure.
 */
#pragma once

#include "common/msg/step.h"

/*
 * Returns the task's arguments, "%t" and "%o" filled in; ends with NULL. Free with program_free.
 * NULL when no program names the task.
 */
char **program_argv(const struct launch_body *body, uint32_t task);
char **program_free(char **argv);
