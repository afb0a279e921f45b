/*
 * columns.h - what squeue can say about a job and about a step, under Slurm's letters and names.
 *
 * Rows of queue_table are struct job_row, those of step_table struct step_row. Pure. Rows borrow
 * their messages.
 */
#pragma once

#include "cli/lib/step_row.h"
#include "common/msg/job.h"

extern const struct report_table queue_table;
extern const struct report_table step_table;
