#include "cli/squeue/columns.h"

#include "cli/squeue/job_values.h"

static const struct report_root queue_roots[] = {
    { "job", job_record_schema, offsetof(struct job_row, job) },
    { "info", job_info_schema, offsetof(struct job_row, info) },
};

/* clang-format off */
#define FIELD(l, n, t, p)        FIELD_OR(l, n, t, p, NULL)
#define FIELD_OR(l, n, t, p, u)  { .letter = l, .name = n, .title = t, .path = p, .unset = u }
#define NUMBER(l, n, t, f, k, r) { .letter = l, .name = n, .title = t, .number = f, .kind = k, .reads = r }
#define TEXT(l, n, t, f, u, r)   { .letter = l, .name = n, .title = t, .make = f, .unset = u, .reads = r }
#define NONE(l, n, t, u)         TEXT(l, n, t, job_row_nothing, u, NULL)

/* Paths that several functions look at. */
#define STATE        "job.state job.flags "
#define START        "job.state job.start_time job.end_time info.planned_start job.spec.begin "
#define RUN_TIME     "job.state job.start_time job.end_time job.suspended_ms job.suspend_time job.pre_suspend_s "
#define TASKS        "job.array_task job.array_tasks job.array_limit "
#define NAME         "job.id job.array_job_id " TASKS
#define NODES        "job.flags job.node_list job.nodes.clean "
#define NODES_MAX    "job.flags job.nodes.clean job.spec.min_nodes job.spec.max_nodes info.least_nodes "
#define NODES_N      NODES_MAX "job.priority "
#define REASON       "job.state job.flags job.reason job.reason_text "
#define PATH         "info.body.work_dir "
#define STD_OUT      PATH "job.id job.array_job_id job.array_task info.body.std_out "
#define TRES_ASKED   "job.spec.min_nodes job.spec.mem_per_node job.spec.mem_per_cpu job.spec.mem_per_gpu " \
                     "job.spec.sockets_per_node job.spec.tres_per_job job.spec.tres_per_node " \
                     "job.spec.tres_per_socket job.spec.tres_per_task job.ntasks job.billing_asked "
#define TRES         TRES_ASKED "job.ncpus job.billing job.spec.licenses job.nodes.memory job.nodes.gres "

static const struct report_column queue_columns[] = {
    FIELD('a', "Account", "ACCOUNT", "job.spec.account"),
    FIELD('A', "JobID", "JOBID", "job.id"),
    TEXT('B', "BatchHost", "EXEC_HOST", queue_batch_host, "n/a", "job.spec.kind job.spec.submit_host job.nodes.name"),
    FIELD_OR('b', "tres-per-node", "TRES_PER_NODE", "job.spec.tres_per_node", "N/A"),
    NUMBER('c', "MinCpus", "MIN_CPUS", job_row_min_cpus, KIND_U32, "job.spec.ntasks_per_node job.spec.cpus_per_task job.spec.min_cpus_per_node"),
    FIELD('C', "NumCPUs", "CPUS", "job.ncpus"),
    FIELD_OR('d', "MinTmpDisk", "MIN_TMP_DISK", "job.spec.tmp_disk", "0"),
    NUMBER('D', "NumNodes", "NODES", queue_nodes_n, KIND_U32, NODES_N),
    { .letter = 'e', .name = "EndTime", .title = "END_TIME", .make = queue_end_or_none,
      .number = queue_ends, .unset = "N/A", .reads = START "job.spec.time_limit" },
    TEXT('E', "Dependency", "DEPENDENCY", job_row_dependency, "(null)", "job.dependencies job.any_dependency"),
    FIELD('f', "Feature", "FEATURES", "job.spec.features"),
    NUMBER('F', "ArrayJobID", "ARRAY_JOB_ID", queue_array_id, KIND_U32, "job.id job.array_job_id"),
    FIELD('g', "GroupName", "GROUP", "job.group_name"),
    FIELD('G', "GroupID", "GROUP", "job.gid"),
    TEXT('h', "OverSubscribe", "OVER_SUBSCRIBE", job_row_share, NULL, "job.spec.share"),
    FIELD_OR('H', "Sockets", "SOCKETS_PER_NODE", "job.spec.sockets_per_node", "*"),
    { .letter = 'i', .name = "JobArrayID", .title = "JOBID", .make = queue_name, .number = queue_name_order, .reads = NAME },
    FIELD_OR('I', "Cores", "CORES_PER_SOCKET", "job.spec.cores_per_socket", "*"),
    FIELD('j', "Name", "NAME", "job.spec.name"),
    FIELD_OR('J', "Threads", "THREADS_PER_CORE", "job.spec.threads_per_core", "*"),
    FIELD('k', "Comment", "COMMENT", "job.spec.comment"),
    TEXT('K', "ArrayTaskID", "ARRAY_TASK_ID", job_row_tasks, "N/A", TASKS),
    { .letter = 'l', .name = "TimeLimit", .title = "TIME_LIMIT", .path = "job.spec.time_limit",
      .unset = "NOT_SET", .style = REPORT_WHOLE },
    { .letter = 'L', .name = "TimeLeft", .title = "TIME_LEFT", .number = queue_time_left,
      .kind = KIND_LIMIT, .unset = "NOT_SET", .style = REPORT_WHOLE, .reads = RUN_TIME "job.spec.time_limit" },
    NUMBER('m', "MinMemory", "MIN_MEMORY", queue_min_memory, KIND_MB, "job.spec.mem_per_cpu job.spec.mem_per_node"),
    { .letter = 'M', .name = "TimeUsed", .title = "TIME", .number = job_row_run_time,
      .kind = KIND_LIMIT, .style = REPORT_WHOLE, .reads = RUN_TIME },
    { .letter = 'n', .name = "ReqNodes", .title = "REQ_NODES", .path = "job.spec.req_nodes",
      .unset = "", .style = REPORT_HOSTS },
    { .letter = 'N', .name = "NodeList", .title = "NODELIST", .make = queue_nodes,
      .style = REPORT_HOSTS, .reads = NODES },
    TEXT('o', "Command", "COMMAND", queue_command, "(null)", "info.body.command info.body.script_args"),
    FIELD('O', "Contiguous", "CONTIGUOUS", "job.spec.contiguous"),
    { .letter = 'p', .name = "Priority", .title = "PRIORITY", .make = queue_priority_share, .number = queue_priority, .reads = "job.priority" },
    TEXT('P', "Partition", "PARTITION", job_row_partition, NULL, "job.state job.partition job.spec.partition"),
    FIELD('q', "QOS", "QOS", "job.spec.qos"),
    FIELD('Q', "PriorityLong", "PRIORITY", "job.priority"),
    TEXT('r', "Reason", "REASON", queue_reason, NULL, REASON),
    { .letter = 'R', .name = "ReasonList", .title = "NODELIST(REASON)",
      .make = queue_reason_or_nodes, .style = REPORT_HOSTS, .reads = REASON NODES },
    NONE('s', "SelectJobInfo", "", ""),
    NUMBER('S', "StartTime", "START_TIME", queue_starts, KIND_TIME, START),
    TEXT('t', "StateCompact", "ST", queue_state_code, NULL, STATE),
    TEXT('T', "State", "STATE", job_row_state, NULL, STATE),
    FIELD('u', "UserName", "USER", "job.user_name"),
    FIELD('U', "UserID", "UID", "job.uid"),
    FIELD('v', "Reservation", "RESERVATION", "job.spec.reservation"),
    FIELD('V', "SubmitTime", "SUBMIT_TIME", "job.submit_time"),
    FIELD('w', "WCKey", "WCKEY", "job.spec.wckey"),
    FIELD('W', "Licenses", "LICENSES", "job.spec.licenses"),
    FIELD_OR('x', "ExcNodes", "EXC_NODES", "job.spec.exc_nodes", ""),
    TEXT('X', "CoreSpec", "CORE_SPEC", queue_core_spec, "N/A", "job.spec.thread_spec job.spec.core_spec"),
    FIELD('y', "Nice", "NICE", "job.spec.nice"),
    FIELD('Y', "SchedNodes", "SCHEDNODES", "info.planned_nodes"),
    TEXT('z', "SCT", "S:C:T", queue_sct, NULL, "job.spec.sockets_per_node job.spec.cores_per_socket job.spec.threads_per_core"),
    FIELD('Z', "WorkDir", "WORK_DIR", "info.body.work_dir"),

    NUMBER(0, "AccrueTime", "ACCRUE_TIME", job_row_accrue_time, KIND_TIME, "job.accrue_time job.eligible_time job.accrues_not"),
    FIELD(0, "admin_comment", "ADMIN_COMMENT", "job.spec.admin_comment"),
    FIELD(0, "AllocNodes", "ALLOC_NODES", "job.spec.submit_host"),
    FIELD(0, "AllocSID", "ALLOC_SID", "job.spec.submit_session"),
    NUMBER(0, "AssocID", "ASSOC_ID", queue_zero, KIND_U32, NULL),
    NUMBER(0, "BatchFlag", "BATCH_FLAG", job_row_is_batch, KIND_U32, "job.spec.kind job.lost_launches"),
    NUMBER(0, "BoardsPerNode", "BOARDS_PER_NODE", queue_zero, KIND_U32, NULL),
    NONE(0, "BurstBuffer", "BURST_BUFFER", "(null)"),
    NONE(0, "BurstBufferState", "BURST_BUFFER_STATE", "(null)"),
    TEXT(0, "Cluster", "CLUSTER", job_row_cluster, NULL, NULL),
    NONE(0, "ClusterFeature", "CLUSTER_FEATURES", "(null)"),
    NONE(0, "Container", "CONTAINER", "(null)"),
    NONE(0, "ContainerID", "CONTAINER_ID", "(null)"),
    NUMBER(0, "cpus-per-task", "CPUS_PER_TASK", job_row_cpus_per_task, KIND_U32, "job.spec.cpus_per_task"),
    TEXT(0, "cpus-per-tres", "CPUS_PER_TRES", job_row_cpus_per_gpu, "N/A", "job.spec.cpus_per_gpu"),
    NONE(0, "CronJob", "CRON_JOB", "No"),
    FIELD_OR(0, "Deadline", "DEADLINE", "job.spec.deadline", "N/A"),
    NUMBER(0, "DelayBoot", "DELAY_BOOT", queue_zero, KIND_LIMIT, NULL),
    FIELD(0, "DerivedEC", "DERIVED_EC", "job.derived_status"),
    FIELD(0, "EligibleTime", "ELIGIBLE_TIME", "job.eligible_time"),
    FIELD(0, "exit_code", "EXIT_CODE", "job.exit_status"),
    NONE(0, "HetJobID", "HET_JOB_ID", "N/A"),
    NONE(0, "HetJobIDSet", "HET_JOB_ID_SET", "N/A"),
    NONE(0, "HetJobOffset", "HET_JOB_OFFSET", "N/A"),
    NUMBER(0, "LastSchedEval", "LAST_SCHED_EVAL", job_row_last_looked_at, KIND_TIME, "job.start_time job.eligible_time job.submit_time"),
    TEXT(0, "LicensesAlloc", "LICENSES_ALLOC", job_row_licenses_held, "(null)", "job.state job.spec.licenses"),
    FIELD(0, "MaxCPUs", "MAX_CPUS", "job.ncpus"),
    NUMBER(0, "MaxNodes", "MAX_NODES", queue_nodes_max, KIND_U32, NODES_MAX),
    NONE(0, "MCSLabel", "MCSLABEL", "(null)"),
    TEXT(0, "mem-per-tres", "MEM_PER_TRES", job_row_mem_per_gpu, "N/A", "job.spec.mem_per_gpu"),
    FIELD_OR(0, "MinTime", "TIME_MIN", "job.spec.time_min", "0:00"),
    NONE(0, "Network", "NETWORK", "(null)"),
    NUMBER(0, "NTPerBoard", "NTASKS_PER_BOARD", queue_zero, KIND_U32, NULL),
    FIELD(0, "NTPerCore", "NTASKS_PER_CORE", "job.spec.ntasks_per_core"),
    FIELD_OR(0, "NTPerNode", "NTASKS_PER_NODE", "job.spec.ntasks_per_node", "0"),
    FIELD(0, "NTPerSocket", "NTASKS_PER_SOCKET", "job.spec.ntasks_per_socket"),
    FIELD(0, "NumTasks", "TASKS", "job.ntasks"),
    FIELD(0, "NumTask", "TASKS", "job.ntasks"),
    NONE(0, "Origin", "ORIGIN", "NA"),
    NONE(0, "OriginRaw", "ORIGIN_RAW", "NA"),
    NUMBER(0, "PendingTime", "PENDING_TIME", queue_time_pending, KIND_U32, "job.start_time job.submit_time"),
    NONE(0, "PreemptTime", "PREEMPT_TIME", "N/A"),
    FIELD(0, "Prefer", "PREFER", "job.spec.prefer"),
    NONE(0, "Profile", "PROFILE", "NotSet"),
    FIELD(0, "Reboot", "REBOOT", "job.spec.reboot"),
    FIELD_OR(0, "ReqSwitch", "REQ_SWITCH", "job.spec.switches", "0"),
    NUMBER(0, "Requeue", "REQUEUE", job_row_requeues, KIND_U32, "job.spec.requeue"),
    FIELD_OR(0, "ResizeTime", "RESIZE_TIME", "job.resize_time", "N/A"),
    FIELD(0, "RestartCnt", "RESTART_COUNT", "job.restarts"),
    NONE(0, "SiblingsActive", "ACTIVE_SIBLINGS", "NA"),
    NONE(0, "SiblingsActiveRaw", "ACTIVE_SIBLINGS_RAW", "NA"),
    NONE(0, "SiblingsViable", "VIABLE_SIBLINGS", "NA"),
    NONE(0, "SiblingsViableRaw", "VIABLE_SIBLINGS_RAW", "NA"),
    NUMBER(0, "SPerBoard", "SOCKETS_PER_BOARD", queue_zero, KIND_U32, NULL),
    TEXT(0, "STDERR", "STDERR", queue_stderr, NULL, STD_OUT "info.body.std_err"),
    TEXT(0, "STDIN", "STDIN", queue_stdin, NULL, PATH "info.body.std_in"),
    TEXT(0, "STDOUT", "STDOUT", queue_stdout, NULL, STD_OUT),
    FIELD(0, "system_comment", "SYSTEM_COMMENT", "job.system_comment"),
    TEXT(0, "tres-alloc", "TRES_ALLOC", queue_tres, NULL, TRES),
    TEXT(0, "tres", "TRES_ALLOC", queue_tres, NULL, TRES),
    TEXT(0, "tres-bind", "TRES_BIND", job_row_gpu_bind, "N/A", "job.spec.gpu_bind"),
    TEXT(0, "tres-freq", "TRES_FREQ", job_row_gpu_freq, "N/A", "job.spec.gpu_freq"),
    FIELD_OR(0, "tres-per-job", "TRES_PER_JOB", "job.spec.tres_per_job", "N/A"),
    FIELD_OR(0, "tres-per-socket", "TRES_PER_SOCKET", "job.spec.tres_per_socket", "N/A"),
    TEXT(0, "tres-per-task", "TRES_PER_TASK", job_row_tres_per_task, "N/A", "job.spec.tres_per_task"),
    NUMBER(0, "Wait4Switch", "WAIT4SWITCH", queue_switch_wait, KIND_LIMIT, "job.spec.switch_wait_s"),
};
/* clang-format on */

const struct report_table queue_table = { queue_roots, ARRAY_N(queue_roots), queue_columns,
                                          ARRAY_N(queue_columns) };
