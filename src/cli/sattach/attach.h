/*
 * attach.h - the streams of a step, from its nodes: what tasks print from now on goes to stdout and
 * stderr, what comes at stdin goes to the tasks.
 */
#pragma once

#include "cli/lib/command.h"
#include "cli/lib/records.h"
#include "common/msg/step.h"

/* What to attach to; borrowed. Tasks are COUNT_UNSET where all are meant. */
struct attach_request {
    struct command *command;
    const struct step_record *step;
    const struct records *nodes; /* node_info of each of the step's nodes */
    uint32_t input_task, output_task, error_task;
    bool label, pty;
};

/* Returns what sattach exits with: the highest exit code of the tasks that ended meanwhile. */
int attach_run(const struct attach_request *request);
