/*
 * columns.h - what squeue can say about a job and about a step, under Slurm's letters and names.
 *
 * Rows of queue_table are struct job_row. Pure. Rows borrow their messages.
 */
#pragma once

#include "common/msg/job.h"
#include "common/report/column.h"

struct step_row {
    const struct step_record *step;
    const char *user; /* name of its uid, or NULL */
    const char *cluster;
};

extern const struct report_table queue_table;
extern const struct report_table step_table;
