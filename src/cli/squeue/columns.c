#include "cli/squeue/columns.h"

#include <inttypes.h>
#include <string.h>

#include "cli/lib/outcome.h"
#include "cli/lib/place.h"
#include "cli/lib/tasks.h"
#include "common/text/hostlist.h"

#define PRIORITY_ONE 4294967295.0 /* shown as 1.0 */

static const struct queue_row *row_of(const void *row)
{
    return row;
}

static const struct job_spec *spec_of(const void *row)
{
    return row_of(row)->job->spec;
}

static bool is_set(uint32_t count)
{
    return count != COUNT_UNSET && count != COUNT_INFINITE;
}

/* ---- times ---- */

int64_t queue_start_time(const struct report_context *ctx, const struct queue_row *row)
{
    if (row->job->start_time || job_state_is_over(row->job->state))
        return row->job->start_time ? row->job->start_time : row->job->end_time;
    if (row->info->planned_start)
        return row->info->planned_start;
    return row->job->spec->begin > ctx->now ? row->job->spec->begin : 0;
}

static bool start_time(const struct report_context *ctx, const void *row, int64_t *ret)
{
    *ret = queue_start_time(ctx, row);
    return *ret != 0;
}

static bool end_time(const struct report_context *ctx, const void *row, int64_t *ret)
{
    int64_t limit = spec_of(row)->time_limit, start = queue_start_time(ctx, row);

    *ret = row_of(row)->job->end_time;
    if (!*ret && start && limit >= 0)
        *ret = start + limit;
    return *ret != 0;
}

/* A job without a limit has no end to expect, which is not the same as an end not known. */
static void make_end_time(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    int64_t end;

    if (end_time(ctx, row, &end))
        report_format_number(KIND_TIME, end, 0, ctx, out);
    else if (queue_start_time(ctx, row))
        strbuf_adds(out, "NONE");
}

static bool used(const struct report_context *ctx, const void *row, int64_t *ret)
{
    *ret = outcome_run_time(row_of(row)->job, ctx->now);
    return true;
}

static bool time_left(const struct report_context *ctx, const void *row, int64_t *ret)
{
    int64_t limit = spec_of(row)->time_limit;

    if (limit == LIMIT_UNSET)
        return false;
    *ret = limit == LIMIT_INFINITE ? LIMIT_INFINITE
                                   : limit - outcome_run_time(row_of(row)->job, ctx->now);
    if (limit != LIMIT_INFINITE && *ret < 0)
        *ret = 0; /* KillWait is running */
    return true;
}

static bool time_pending(const struct report_context *ctx, const void *row, int64_t *ret)
{
    const struct job_record *job = row_of(row)->job;

    *ret = (job->start_time ? job->start_time : ctx->now) - job->submit_time;
    return true;
}

/* ---- where ---- */

static bool is_completing(const struct job_record *job)
{
    return job->flags & JOB_FLAG_COMPLETING;
}

/* Of a completing job only the nodes that still have something of it. */
static void make_nodes(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    const struct job_record *job = row_of(row)->job;
    AUTO(hostlist) struct hostlist *busy = NULL;
    AUTO_FREE char *text = NULL;

    (void)ctx;
    if (!is_completing(job)) {
        strbuf_adds(out, job->node_list ? job->node_list : "");
        return;
    }
    busy = hostlist_new();
    for (uint32_t i = 0; i < job->nodes_n; i++) {
        if (!job->nodes[i].clean)
            hostlist_add(busy, job->nodes[i].name);
    }
    text = hostlist_format(busy);
    strbuf_adds(out, text);
}

static bool nodes_n(const struct report_context *ctx, const void *row, int64_t *ret)
{
    const struct job_record *job = row_of(row)->job;

    (void)ctx;
    *ret = 0;
    for (uint32_t i = 0; i < job->nodes_n; i++)
        *ret += !is_completing(job) || !job->nodes[i].clean;
    if (!job->nodes_n)
        *ret = is_set(job->spec->min_nodes) && job->spec->min_nodes ? job->spec->min_nodes : 1;
    return true;
}

static bool nodes_max(const struct report_context *ctx, const void *row, int64_t *ret)
{
    uint32_t most = spec_of(row)->max_nodes;

    if (!is_set(most) || !most)
        return nodes_n(ctx, row, ret);
    *ret = most;
    return true;
}

static void make_batch_host(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    const struct job_record *job = row_of(row)->job;

    (void)ctx;
    if (job->spec->kind != JOB_KIND_BATCH)
        strbuf_adds(out, job->spec->submit_host ? job->spec->submit_host : "");
    else if (job->nodes_n)
        strbuf_adds(out, job->nodes[0].name);
}

/* ---- state ---- */

static void make_state(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    strbuf_adds(out, job_state_name(row_of(row)->job->state, row_of(row)->job->flags));
}

static void make_state_code(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    strbuf_adds(out, job_state_code(row_of(row)->job->state, row_of(row)->job->flags));
}

static void make_reason(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    if (row_of(row)->reasons)
        strbuf_adds(out, row_of(row)->reasons);
    else
        outcome_add_reason(row_of(row)->job, ' ', out);
}

static void make_name(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    job_name_format(row_of(row)->job, out);
}

static void make_tasks(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    job_tasks_format(row_of(row)->job, out);
}

static bool array_id(const struct report_context *ctx, const void *row, int64_t *ret)
{
    const struct job_record *job = row_of(row)->job;

    (void)ctx;
    *ret = job->array_job_id ? job->array_job_id : job->id;
    return true;
}

static void make_dependency(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    job_dependencies_format(row_of(row)->job, out);
}

/* Why, where the nodes are not what one wants to know. */
static void make_reason_or_nodes(const struct report_context *ctx, const void *row,
                                 struct strbuf *out)
{
    const struct job_record *job = row_of(row)->job;

    switch (is_completing(job) ? JOB_RUNNING : job->state) {
    case JOB_PENDING:
    case JOB_FAILED:
    case JOB_TIMEOUT:
    case JOB_DEADLINE:
    case JOB_OOM:
        strbuf_addc(out, '(');
        make_reason(ctx, row, out);
        strbuf_addc(out, ')');
        break;
    default:
        make_nodes(ctx, row, out);
    }
}

/* ---- what was asked ---- */

static bool min_cpus(const struct report_context *ctx, const void *row, int64_t *ret)
{
    const struct job_spec *spec = spec_of(row);

    (void)ctx;
    *ret = is_set(spec->cpus_per_task) ? spec->cpus_per_task : 1;
    if (is_set(spec->min_cpus_per_node) && spec->min_cpus_per_node > *ret)
        *ret = spec->min_cpus_per_node;
    return true;
}

static bool cpus_per_task(const struct report_context *ctx, const void *row, int64_t *ret)
{
    (void)ctx;
    *ret = is_set(spec_of(row)->cpus_per_task) ? spec_of(row)->cpus_per_task : 1;
    return true;
}

static bool min_memory(const struct report_context *ctx, const void *row, int64_t *ret)
{
    const struct job_spec *spec = spec_of(row);

    (void)ctx;
    *ret = 0;
    if (spec->mem_per_cpu != MB_UNSET)
        *ret = (int64_t)spec->mem_per_cpu;
    else if (spec->mem_per_node != MB_UNSET)
        *ret = (int64_t)spec->mem_per_node;
    return true;
}

static void make_share(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    static const char *const words[] = { [SHARE_DEFAULT] = "OK",
                                         [SHARE_EXCLUSIVE] = "NO",
                                         [SHARE_USER] = "USER",
                                         [SHARE_OVERSUBSCRIBE] = "YES" };
    uint32_t share = spec_of(row)->share;

    (void)ctx;
    strbuf_adds(out, words[share < ARRAY_N(words) ? share : SHARE_DEFAULT]);
}

static void add_star(uint32_t count, const char *before, struct strbuf *out)
{
    if (is_set(count))
        strbuf_addf(out, "%s%" PRIu32, before, count);
    else
        strbuf_addf(out, "%s*", before);
}

static void make_sct(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    add_star(spec_of(row)->sockets_per_node, "", out);
    add_star(spec_of(row)->cores_per_socket, ":", out);
    add_star(spec_of(row)->threads_per_core, ":", out);
}

/* Only a script has a path; --wrap and salloc have none. */
static void make_command(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    const struct job_spec *spec = spec_of(row);

    (void)ctx;
    if (!spec->command || spec->command[0] != '/')
        return;
    strbuf_adds(out, spec->command);
    for (uint32_t i = 0; i < spec->script_args_n; i++)
        strbuf_addf(out, " %s", spec->script_args[i]);
}

static bool priority(const struct report_context *ctx, const void *row, int64_t *ret)
{
    (void)ctx;
    *ret = (int64_t)row_of(row)->job->priority;
    return true;
}

static void make_priority(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    strbuf_addf(out, "%.14f", (double)row_of(row)->job->priority / PRIORITY_ONE);
}

/* A path as the job will see it; patterns stay patterns. */
static void add_path(const struct job_spec *spec, const char *path, struct strbuf *out)
{
    if (path[0] != '/' && spec->work_dir)
        strbuf_addf(out, "%s/", spec->work_dir);
    strbuf_adds(out, path);
}

static void make_stdin(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    add_path(spec_of(row), spec_of(row)->std_in ? spec_of(row)->std_in : "/dev/null", out);
}

static void make_stdout(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    const struct job_record *job = row_of(row)->job;

    (void)ctx;
    if (job->spec->std_out)
        add_path(job->spec, job->spec->std_out, out);
    else
        outcome_add_path(job, NULL, job_usual_output(job), out);
}

static void make_stderr(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    if (spec_of(row)->std_err)
        add_path(spec_of(row), spec_of(row)->std_err, out);
    else
        make_stdout(ctx, row, out);
}

static uint64_t memory_of(const struct job_record *job, int64_t nodes)
{
    uint64_t sum = 0;

    for (uint32_t i = 0; i < job->nodes_n; i++)
        sum += job->nodes[i].memory == MB_UNSET ? 0 : job->nodes[i].memory;
    if (job->nodes_n)
        return sum;
    if (job->spec->mem_per_cpu != MB_UNSET)
        return job->spec->mem_per_cpu * job->ncpus;
    return job->spec->mem_per_node == MB_UNSET ? 0 : job->spec->mem_per_node * (uint64_t)nodes;
}

static void make_tres(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    const struct job_record *job = row_of(row)->job;
    int64_t nodes = 0;

    nodes_n(ctx, row, &nodes);
    strbuf_addf(out, "cpu=%" PRIu32, job->ncpus);
    if (memory_of(job, nodes)) {
        strbuf_adds(out, ",mem=");
        report_format_mb(memory_of(job, nodes), ctx->exact_units, out);
    }
    strbuf_addf(out, ",node=%" PRId64 ",billing=%" PRIu32, nodes, job->ncpus);
}

static bool is_batch(const struct report_context *ctx, const void *row, int64_t *ret)
{
    (void)ctx;
    *ret = spec_of(row)->kind == JOB_KIND_BATCH;
    return true;
}

static bool is_requeued(const struct report_context *ctx, const void *row, int64_t *ret)
{
    (void)ctx;
    *ret = spec_of(row)->requeue != REQUEUE_NO;
    return true;
}

static bool zero(const struct report_context *ctx, const void *row, int64_t *ret)
{
    (void)ctx;
    (void)row;
    *ret = 0;
    return true;
}

/* What no job here has: the word for it is the column's `unset`. */
static void make_none(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    (void)row;
    (void)out;
}

static void make_partition(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    place_add_partition(row_of(row)->job, out);
}

static void make_core_spec(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    if (is_set(spec_of(row)->thread_spec))
        strbuf_addf(out, "%" PRIu32 " Threads", spec_of(row)->thread_spec);
    else if (is_set(spec_of(row)->core_spec))
        strbuf_addf(out, "%" PRIu32, spec_of(row)->core_spec);
}

static void make_cpus_per_gpu(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    place_add_cpus_per_gpu(spec_of(row), out);
}

static void make_mem_per_gpu(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    place_add_mem_per_gpu(spec_of(row), out);
}

static void make_cluster(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    strbuf_adds(out, row_of(row)->cluster);
}

/* Tasks in their order, those that wait together behind the others. */
static bool name_order(const struct report_context *ctx, const void *row, int64_t *ret)
{
    array_id(ctx, row, ret);
    *ret = (*ret << 32) + row_of(row)->job->array_task;
    return true;
}

static const struct report_root queue_roots[] = {
    { "job", job_record_schema, offsetof(struct queue_row, job) },
    { "info", job_info_schema, offsetof(struct queue_row, info) },
};

/* clang-format off */
#define FIELD(l, n, t, p)       FIELD_OR(l, n, t, p, NULL)
#define FIELD_OR(l, n, t, p, u) { .letter = l, .name = n, .title = t, .path = p, .unset = u }
#define NUMBER(l, n, t, f, k)   { .letter = l, .name = n, .title = t, .number = f, .kind = k }
#define TEXT(l, n, t, f, u)     { .letter = l, .name = n, .title = t, .make = f, .unset = u }
#define NONE(l, n, t, u)        TEXT(l, n, t, make_none, u)

static const struct report_column queue_columns[] = {
    FIELD('a', "Account", "ACCOUNT", "job.spec.account"),
    FIELD('A', "JobID", "JOBID", "job.id"),
    TEXT('B', "BatchHost", "EXEC_HOST", make_batch_host, "n/a"),
    FIELD_OR('b', "tres-per-node", "TRES_PER_NODE", "job.spec.tres_per_node", "N/A"),
    NUMBER('c', "MinCpus", "MIN_CPUS", min_cpus, KIND_U32),
    FIELD('C', "NumCPUs", "CPUS", "job.ncpus"),
    FIELD_OR('d', "MinTmpDisk", "MIN_TMP_DISK", "job.spec.tmp_disk", "0"),
    NUMBER('D', "NumNodes", "NODES", nodes_n, KIND_U32),
    { .letter = 'e', .name = "EndTime", .title = "END_TIME", .make = make_end_time,
      .number = end_time, .unset = "N/A" },
    TEXT('E', "Dependency", "DEPENDENCY", make_dependency, "(null)"),
    FIELD('f', "Feature", "FEATURES", "job.spec.features"),
    NUMBER('F', "ArrayJobID", "ARRAY_JOB_ID", array_id, KIND_U32),
    FIELD('g', "GroupName", "GROUP", "job.group_name"),
    FIELD('G', "GroupID", "GROUP", "job.gid"),
    TEXT('h', "OverSubscribe", "OVER_SUBSCRIBE", make_share, NULL),
    FIELD_OR('H', "Sockets", "SOCKETS_PER_NODE", "job.spec.sockets_per_node", "*"),
    { .letter = 'i', .name = "JobArrayID", .title = "JOBID", .make = make_name, .number = name_order },
    FIELD_OR('I', "Cores", "CORES_PER_SOCKET", "job.spec.cores_per_socket", "*"),
    FIELD('j', "Name", "NAME", "job.spec.name"),
    FIELD_OR('J', "Threads", "THREADS_PER_CORE", "job.spec.threads_per_core", "*"),
    FIELD('k', "Comment", "COMMENT", "job.spec.comment"),
    TEXT('K', "ArrayTaskID", "ARRAY_TASK_ID", make_tasks, "N/A"),
    FIELD_OR('l', "TimeLimit", "TIME_LIMIT", "job.spec.time_limit", "NOT_SET"),
    { .letter = 'L', .name = "TimeLeft", .title = "TIME_LEFT", .number = time_left,
      .kind = KIND_LIMIT, .unset = "NOT_SET" },
    NUMBER('m', "MinMemory", "MIN_MEMORY", min_memory, KIND_MB),
    NUMBER('M', "TimeUsed", "TIME", used, KIND_LIMIT),
    FIELD_OR('n', "ReqNodes", "REQ_NODES", "job.spec.req_nodes", ""),
    TEXT('N', "NodeList", "NODELIST", make_nodes, NULL),
    TEXT('o', "Command", "COMMAND", make_command, "(null)"),
    FIELD('O', "Contiguous", "CONTIGUOUS", "job.spec.contiguous"),
    { .letter = 'p', .name = "Priority", .title = "PRIORITY", .make = make_priority, .number = priority },
    TEXT('P', "Partition", "PARTITION", make_partition, NULL),
    FIELD('q', "QOS", "QOS", "job.spec.qos"),
    FIELD('Q', "PriorityLong", "PRIORITY", "job.priority"),
    TEXT('r', "Reason", "REASON", make_reason, NULL),
    TEXT('R', "ReasonList", "NODELIST(REASON)", make_reason_or_nodes, NULL),
    NONE('s', "SelectJobInfo", "", ""),
    NUMBER('S', "StartTime", "START_TIME", start_time, KIND_TIME),
    TEXT('t', "StateCompact", "ST", make_state_code, NULL),
    TEXT('T', "State", "STATE", make_state, NULL),
    FIELD('u', "UserName", "USER", "job.user_name"),
    FIELD('U', "UserID", "UID", "job.uid"),
    FIELD('v', "Reservation", "RESERVATION", "job.spec.reservation"),
    FIELD('V', "SubmitTime", "SUBMIT_TIME", "job.submit_time"),
    FIELD('w', "WCKey", "WCKEY", "job.spec.wckey"),
    FIELD('W', "Licenses", "LICENSES", "job.spec.licenses"),
    FIELD_OR('x', "ExcNodes", "EXC_NODES", "job.spec.exc_nodes", ""),
    TEXT('X', "CoreSpec", "CORE_SPEC", make_core_spec, "N/A"),
    FIELD('y', "Nice", "NICE", "job.spec.nice"),
    FIELD('Y', "SchedNodes", "SCHEDNODES", "info.planned_nodes"),
    TEXT('z', "SCT", "S:C:T", make_sct, NULL),
    FIELD('Z', "WorkDir", "WORK_DIR", "job.spec.work_dir"),

    FIELD(0, "AccrueTime", "ACCRUE_TIME", "job.eligible_time"),
    NONE(0, "admin_comment", "ADMIN_COMMENT", "(null)"),
    FIELD(0, "AllocNodes", "ALLOC_NODES", "job.spec.submit_host"),
    NONE(0, "AllocSID", "ALLOC_SID", "N/A"),
    NUMBER(0, "AssocID", "ASSOC_ID", zero, KIND_U32),
    NUMBER(0, "BatchFlag", "BATCH_FLAG", is_batch, KIND_U32),
    NUMBER(0, "BoardsPerNode", "BOARDS_PER_NODE", zero, KIND_U32),
    NONE(0, "BurstBuffer", "BURST_BUFFER", "(null)"),
    NONE(0, "BurstBufferState", "BURST_BUFFER_STATE", "(null)"),
    TEXT(0, "Cluster", "CLUSTER", make_cluster, NULL),
    NONE(0, "ClusterFeature", "CLUSTER_FEATURES", "(null)"),
    NONE(0, "Container", "CONTAINER", "(null)"),
    NUMBER(0, "cpus-per-task", "CPUS_PER_TASK", cpus_per_task, KIND_U32),
    TEXT(0, "cpus-per-tres", "CPUS_PER_TRES", make_cpus_per_gpu, "N/A"),
    FIELD_OR(0, "Deadline", "DEADLINE", "job.spec.deadline", "N/A"),
    NUMBER(0, "DelayBoot", "DELAY_BOOT", zero, KIND_LIMIT),
    FIELD(0, "DerivedEC", "DERIVED_EC", "job.derived_status"),
    FIELD(0, "EligibleTime", "ELIGIBLE_TIME", "job.eligible_time"),
    FIELD(0, "exit_code", "EXIT_CODE", "job.exit_status"),
    NONE(0, "HetJobID", "HET_JOB_ID", "N/A"),
    NONE(0, "HetJobIDSet", "HET_JOB_ID_SET", "N/A"),
    NONE(0, "HetJobOffset", "HET_JOB_OFFSET", "N/A"),
    NONE(0, "LastSchedEval", "LAST_SCHED_EVAL", "N/A"),
    FIELD(0, "MaxCPUs", "MAX_CPUS", "job.ncpus"),
    NUMBER(0, "MaxNodes", "MAX_NODES", nodes_max, KIND_U32),
    NONE(0, "MCSLabel", "MCSLABEL", "(null)"),
    TEXT(0, "mem-per-tres", "MEM_PER_TRES", make_mem_per_gpu, "N/A"),
    FIELD_OR(0, "MinTime", "TIME_MIN", "job.spec.time_min", "0:00"),
    NONE(0, "Network", "NETWORK", "(null)"),
    NUMBER(0, "NTPerBoard", "NTASKS_PER_BOARD", zero, KIND_U32),
    FIELD(0, "NTPerCore", "NTASKS_PER_CORE", "job.spec.ntasks_per_core"),
    FIELD_OR(0, "NTPerNode", "NTASKS_PER_NODE", "job.spec.ntasks_per_node", "0"),
    FIELD(0, "NTPerSocket", "NTASKS_PER_SOCKET", "job.spec.ntasks_per_socket"),
    FIELD(0, "NumTasks", "TASKS", "job.ntasks"),
    FIELD(0, "NumTask", "TASKS", "job.ntasks"),
    NONE(0, "Origin", "ORIGIN", "NA"),
    NONE(0, "OriginRaw", "ORIGIN_RAW", "NA"),
    NUMBER(0, "PendingTime", "PENDING_TIME", time_pending, KIND_U32),
    NONE(0, "PreemptTime", "PREEMPT_TIME", "N/A"),
    NONE(0, "Prefer", "PREFER", "(null)"),
    NONE(0, "Profile", "PROFILE", "NotSet"),
    NUMBER(0, "Reboot", "REBOOT", zero, KIND_U32),
    FIELD_OR(0, "ReqSwitch", "REQ_SWITCH", "job.spec.switches", "0"),
    NUMBER(0, "Requeue", "REQUEUE", is_requeued, KIND_U32),
    NONE(0, "ResizeTime", "RESIZE_TIME", "N/A"),
    FIELD(0, "RestartCnt", "RESTART_COUNT", "job.restarts"),
    NONE(0, "SiblingsActive", "ACTIVE_SIBLINGS", "NA"),
    NONE(0, "SiblingsActiveRaw", "ACTIVE_SIBLINGS_RAW", "NA"),
    NONE(0, "SiblingsViable", "VIABLE_SIBLINGS", "NA"),
    NONE(0, "SiblingsViableRaw", "VIABLE_SIBLINGS_RAW", "NA"),
    NUMBER(0, "SPerBoard", "SOCKETS_PER_BOARD", zero, KIND_U32),
    TEXT(0, "STDERR", "STDERR", make_stderr, NULL),
    TEXT(0, "STDIN", "STDIN", make_stdin, NULL),
    TEXT(0, "STDOUT", "STDOUT", make_stdout, NULL),
    NONE(0, "system_comment", "SYSTEM_COMMENT", "(null)"),
    TEXT(0, "tres-alloc", "TRES_ALLOC", make_tres, NULL),
    TEXT(0, "tres", "TRES_ALLOC", make_tres, NULL),
    NONE(0, "tres-bind", "TRES_BIND", "N/A"),
    NONE(0, "tres-freq", "TRES_FREQ", "N/A"),
    FIELD_OR(0, "tres-per-job", "TRES_PER_JOB", "job.spec.tres_per_job", "N/A"),
    FIELD_OR(0, "tres-per-socket", "TRES_PER_SOCKET", "job.spec.tres_per_socket", "N/A"),
    FIELD_OR(0, "tres-per-task", "TRES_PER_TASK", "job.spec.tres_per_task", "N/A"),
    NUMBER(0, "Wait4Switch", "WAIT4SWITCH", zero, KIND_LIMIT),
};
/* clang-format on */

const struct report_table queue_table = { queue_roots, ARRAY_N(queue_roots), queue_columns,
                                          ARRAY_N(queue_columns) };
