/* show_job.c - scontrol show job. */
#include "cli/scontrol/job_values.h"

static const struct report_root roots[] = {
    { "info", job_info_schema, offsetof(struct job_row, info) },
    { "job", job_record_schema, offsetof(struct job_row, job) },
};

/* Members that no job of this program can have yet. */
#define NEVER(key, word)                                                                           \
    {                                                                                              \
        .title = key, .make = job_row_nothing, .unset = word                                       \
    }
#define NEVER_NEW_LINE(key, word)                                                                  \
    {                                                                                              \
        .title = key, .make = job_row_nothing, .unset = word, .style = REPORT_NEW_LINE             \
    }

/* clang-format off */
static const struct report_column columns[] = {
    { .title = "JobId", .path = "job.id" },
    { .title = "ArrayJobId", .number = show_job_array_id, .kind = KIND_U32, .style = REPORT_OMIT },
    { .title = "ArrayTaskId", .make = job_row_tasks, .style = REPORT_OMIT },
    { .title = "ArrayTaskThrottle", .number = show_job_throttle, .kind = KIND_U32, .style = REPORT_OMIT },
    { .title = "JobName", .path = "job.spec.name" },
    { .title = "UserId", .make = show_job_user, .style = REPORT_NEW_LINE },
    { .title = "GroupId", .make = show_job_group },
    NEVER("MCS_label", "N/A"),
    { .title = "Priority", .path = "job.priority", .style = REPORT_NEW_LINE },
    { .title = "Nice", .path = "job.spec.nice" },
    { .title = "Account", .path = "job.spec.account" },
    { .title = "QOS", .path = "job.spec.qos" },
    { .title = "JobState", .make = job_row_state, .style = REPORT_NEW_LINE },
    { .title = "Reason", .make = show_job_reason },
    { .title = "Dependency", .make = job_row_dependency, .unset = "(null)" },
    { .title = "Requeue", .number = job_row_requeues, .kind = KIND_U32, .style = REPORT_NEW_LINE },
    { .title = "Restarts", .path = "job.restarts" },
    { .title = "BatchFlag", .number = job_row_is_batch, .kind = KIND_U32 },
    { .title = "Reboot", .number = show_job_reboots, .kind = KIND_U32 },
    { .title = "ExitCode", .make = show_job_exit },
    { .title = "DerivedExitCode", .make = show_job_derived, .style = REPORT_NEW_LINE | REPORT_OMIT },
    { .title = "RunTime", .number = job_row_run_time, .kind = KIND_LIMIT, .style = REPORT_NEW_LINE | REPORT_LONG },
    { .title = "TimeLimit", .path = "job.spec.time_limit", .unset = "Partition_Limit", .style = REPORT_LONG },
    { .title = "TimeMin", .path = "job.spec.time_min", .unset = "N/A", .style = REPORT_LONG },
    { .title = "SubmitTime", .path = "job.submit_time", .unset = "Unknown", .style = REPORT_NEW_LINE },
    { .title = "EligibleTime", .path = "job.eligible_time", .unset = "Unknown" },
    { .title = "AccrueTime", .number = job_row_accrue_time, .kind = KIND_TIME, .unset = "Unknown", .style = REPORT_NEW_LINE },
    { .title = "ResizeTime", .path = "job.resize_time", .style = REPORT_NEW_LINE | REPORT_OMIT },
    { .title = "StartTime", .number = job_row_start_time, .kind = KIND_TIME, .unset = "Unknown", .style = REPORT_NEW_LINE },
    { .title = "EndTime", .number = job_row_end_time, .kind = KIND_TIME, .unset = "Unknown" },
    { .title = "Deadline", .path = "job.spec.deadline", .unset = "N/A" },
    { .title = "SuspendTime", .path = "job.suspend_time", .unset = "None", .style = REPORT_NEW_LINE },
    { .title = "SecsPreSuspend", .path = "job.pre_suspend_s", .unset = "0" },
    { .title = "LastSchedEval", .number = job_row_last_looked_at, .kind = KIND_TIME, .unset = "Unknown" },
    { .title = "Scheduler", .make = show_job_scheduler },
    { .title = "Partition", .make = job_row_partition, .style = REPORT_NEW_LINE },
    { .title = "AllocNode:Sid", .make = show_job_allocator },
    { .title = "ReqNodeList", .path = "job.spec.req_nodes", .style = REPORT_NEW_LINE },
    { .title = "ExcNodeList", .path = "job.spec.exc_nodes" },
    { .title = "NodeList", .path = "job.node_list", .unset = "", .style = REPORT_NEW_LINE },
    { .title = "SchedNodeList", .make = show_job_nodes_planned, .style = REPORT_OMIT },
    { .title = "BatchHost", .make = job_row_batch_host, .style = REPORT_NEW_LINE | REPORT_OMIT },
    { .title = "NumNodes", .make = show_job_node_count, .style = REPORT_NEW_LINE },
    { .title = "NumCPUs", .path = "job.ncpus" },
    { .title = "NumTasks", .path = "job.ntasks" },
    { .title = "CPUs/Task", .number = job_row_cpus_per_task, .kind = KIND_U32 },
    { .title = "ReqB:S:C:T", .make = show_job_layout },
    { .title = "ReqTRES", .make = job_row_tres_requested, .unset = "(null)", .style = REPORT_NEW_LINE },
    { .title = "AllocTRES", .make = job_row_tres_allocated, .unset = "(null)", .style = REPORT_NEW_LINE },
    { .title = "Socks/Node", .make = show_job_sockets, .style = REPORT_NEW_LINE },
    { .title = "NtasksPerN:B:S:C", .make = show_job_tasks_per },
    { .title = "CoreSpec", .make = show_job_core_spec, .style = REPORT_OMIT },
    { .title = "ThreadSpec", .path = "job.spec.thread_spec", .style = REPORT_OMIT },
    { .title = "JOB_GRES",
      .make = show_job_detail,
      .style = REPORT_NEW_LINE | REPORT_OMIT | REPORT_LINES },
    { .title = "MinCPUsNode", .number = job_row_min_cpus, .kind = KIND_U32, .style = REPORT_NEW_LINE },
    { .title = "MinMemoryCPU", .make = show_job_mem_per_cpu, .style = REPORT_OMIT },
    { .title = "MinMemoryNode", .make = show_job_mem_per_node, .style = REPORT_OMIT },
    { .title = "MinTmpDiskNode", .make = show_job_tmp_disk },
    { .title = "Features", .path = "job.spec.features", .style = REPORT_NEW_LINE },
    NEVER("DelayBoot", "00:00:00"),
    { .title = "Prefer", .path = "job.spec.prefer", .style = REPORT_NEW_LINE | REPORT_OMIT },
    { .title = "OverSubscribe", .make = job_row_share, .style = REPORT_NEW_LINE },
    { .title = "Contiguous", .number = show_job_contiguous, .kind = KIND_U32 },
    { .title = "Licenses", .path = "job.spec.licenses" },
    { .title = "LicensesAlloc", .make = job_row_licenses_held, .unset = "(null)" },
    NEVER("Network", "(null)"),
    { .title = "Command", .make = job_row_command, .unset = "(null)", .style = REPORT_NEW_LINE },
    { .title = "WorkDir", .path = "info.body.work_dir", .style = REPORT_NEW_LINE },
    { .title = "AdminComment",
      .path = "job.spec.admin_comment",
      .style = REPORT_NEW_LINE | REPORT_OMIT },
    { .title = "Comment", .path = "job.spec.comment", .style = REPORT_NEW_LINE | REPORT_OMIT },
    { .title = "Extra", .path = "job.spec.extra", .style = REPORT_NEW_LINE | REPORT_OMIT },
    { .title = "WCKey", .path = "job.spec.wckey", .style = REPORT_NEW_LINE | REPORT_OMIT },
    { .title = "Origin", .path = "job.spec.origin", .style = REPORT_NEW_LINE | REPORT_OMIT },
    { .title = "StdErr", .make = job_row_std_err, .style = REPORT_NEW_LINE | REPORT_OMIT },
    { .title = "StdIn", .make = job_row_std_in, .style = REPORT_NEW_LINE | REPORT_OMIT },
    { .title = "StdOut", .make = job_row_std_out, .style = REPORT_NEW_LINE | REPORT_OMIT },
    { .title = "Reservation", .path = "job.spec.reservation", .style = REPORT_NEW_LINE | REPORT_OMIT },
    { .title = "Switches", .make = show_job_switches, .style = REPORT_NEW_LINE | REPORT_OMIT },
    { .title = "GresEnforceBind", .make = show_job_binding, .style = REPORT_NEW_LINE | REPORT_OMIT },
    { .title = "KillOInInvalidDependent",
      .make = show_job_kill_invalid,
      .style = REPORT_NEW_LINE | REPORT_OMIT },
    { .title = "SpreadJob", .make = show_job_spread, .style = REPORT_NEW_LINE | REPORT_OMIT },
    { .title = "CpusPerTres", .make = job_row_cpus_per_gpu, .style = REPORT_NEW_LINE | REPORT_OMIT },
    { .title = "MemPerTres", .make = job_row_mem_per_gpu, .style = REPORT_NEW_LINE | REPORT_OMIT },
    { .title = "TresBind", .make = job_row_gpu_bind, .style = REPORT_NEW_LINE | REPORT_OMIT },
    { .title = "TresFreq", .make = job_row_gpu_freq, .style = REPORT_NEW_LINE | REPORT_OMIT },
    { .title = "TresPerJob", .path = "job.spec.tres_per_job", .style = REPORT_NEW_LINE | REPORT_OMIT },
    { .title = "TresPerNode", .path = "job.spec.tres_per_node", .style = REPORT_NEW_LINE | REPORT_OMIT },
    { .title = "TresPerSocket", .path = "job.spec.tres_per_socket", .style = REPORT_NEW_LINE | REPORT_OMIT },
    { .title = "TresPerTask", .make = job_row_tres_per_task, .style = REPORT_NEW_LINE | REPORT_OMIT },
    { .title = "NtasksPerTRES", .path = "job.spec.ntasks_per_gpu", .style = REPORT_NEW_LINE | REPORT_OMIT },
    { .title = "MailUser", .make = show_job_mail_user, .style = REPORT_NEW_LINE | REPORT_OMIT },
    { .title = "MailType", .path = "job.spec.mail_type", .style = REPORT_OMIT },
};
/* clang-format on */

const struct report_table show_job_table = { roots, ARRAY_N(roots), columns, ARRAY_N(columns) };

void show_job(const struct show *show, const struct job_info *info, struct strbuf *out)
{
    const struct job_row row = { .info = info, .job = info->job };
    struct report_context ctx = show->ctx;

    ctx.now = info->now;
    ctx.user = show;
    report_record(&show_job_table, show->paths, &ctx, &row, show->one_line, out);
}
