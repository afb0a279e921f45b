/*
 * job_values.h - what scontrol alone says of a job: functions of its columns. Pure.
 */
#pragma once

#include "cli/lib/job_row.h"
#include "cli/scontrol/show.h"

static inline const struct show *job_show_of(const struct report_context *ctx)
{
    return ctx->user;
}

report_make_fn show_job_user, show_job_group, show_job_reason, show_job_exit, show_job_derived;
report_make_fn show_job_scheduler, show_job_allocator, show_job_nodes_planned, show_job_node_count;
report_make_fn show_job_layout, show_job_sockets, show_job_tasks_per, show_job_detail;
report_make_fn show_job_mem_per_cpu, show_job_mem_per_node, show_job_tmp_disk, show_job_core_spec;
report_make_fn show_job_switches, show_job_binding, show_job_kill_invalid, show_job_spread;
report_make_fn show_job_mail_user;
report_number_fn show_job_array_id, show_job_throttle, show_job_contiguous, show_job_reboots;
