/*
 * job_values.h - what squeue alone says of a job: functions of its columns. Pure.
 */
#pragma once

#include "cli/lib/job_row.h"

report_make_fn queue_end_or_none, queue_nodes, queue_batch_host, queue_state_code, queue_reason;
report_make_fn queue_name, queue_reason_or_nodes, queue_sct, queue_command, queue_priority_share;
report_make_fn queue_stdin, queue_stdout, queue_stderr, queue_tres, queue_core_spec;
report_number_fn queue_starts, queue_ends, queue_time_left, queue_time_pending, queue_nodes_n;
report_number_fn queue_nodes_max, queue_array_id, queue_min_memory, queue_priority;
report_number_fn queue_zero, queue_name_order, queue_switch_wait;

/* Returns when the job started, starts by the plan, or may start at the earliest; 0: not known. */
int64_t queue_start_time(const struct report_context *ctx, const struct job_row *row);
