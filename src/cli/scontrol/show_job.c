/* show_job.c - scontrol show job. */
#include <string.h>

#include "cli/lib/outcome.h"
#include "cli/lib/place.h"
#include "cli/lib/tasks.h"
#include "common/msg/tres.h"
#include "cli/scontrol/show.h"
#include "common/text/hostlist.h"

struct job_row {
    const struct job_info *info;
    const struct job_record *job;
    const struct job_spec *spec;
};

static const struct job_row *row_of(const void *row)
{
    return row;
}

static const struct job_spec *spec_of(const void *row)
{
    return row_of(row)->spec;
}

static const struct show *show_of(const struct report_context *ctx)
{
    return ctx->user;
}

static bool is_count(uint32_t count)
{
    return count != COUNT_UNSET && count != COUNT_INFINITE;
}

static uint32_t count_or(uint32_t count, uint32_t other)
{
    return is_count(count) ? count : other;
}

/* "*" stands for a number that the job leaves open. */
static void add_open(uint32_t count, struct strbuf *out)
{
    if (is_count(count))
        strbuf_addu(out, count);
    else
        strbuf_addc(out, '*');
}

/* ---- who and how ---- */

static bool array_id(const struct report_context *ctx, const void *row, int64_t *ret)
{
    (void)ctx;
    *ret = row_of(row)->job->array_job_id;
    return *ret != 0;
}

static void make_tasks(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    job_tasks_format(row_of(row)->job, out);
}

static bool throttle(const struct report_context *ctx, const void *row, int64_t *ret)
{
    (void)ctx;
    *ret = row_of(row)->job->array_limit;
    return *ret != 0;
}

static void add_owner(const char *name, uint32_t id, struct strbuf *out)
{
    strbuf_adds(out, name ? name : "");
    strbuf_addc(out, '(');
    strbuf_addu(out, id);
    strbuf_addc(out, ')');
}

static void make_user(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    const struct job_record *job = row_of(row)->job;

    (void)ctx;
    add_owner(job->user_name, job->uid, out);
}

static void make_group(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    const struct job_record *job = row_of(row)->job;

    (void)ctx;
    add_owner(job->group_name, job->gid, out);
}

static void make_state(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    strbuf_adds(out, job_state_name(row_of(row)->job->state, row_of(row)->job->flags));
}

static void make_reason(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    outcome_add_reason(row_of(row)->job, '_', out);
}

static void make_dependency(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    job_dependencies_format(row_of(row)->job, out);
}

static bool requeue(const struct report_context *ctx, const void *row, int64_t *ret)
{
    (void)ctx;
    *ret = spec_of(row)->requeue != REQUEUE_NO;
    return true;
}

static bool is_batch(const struct report_context *ctx, const void *row, int64_t *ret)
{
    (void)ctx;
    *ret = spec_of(row)->kind == JOB_KIND_BATCH;
    return true;
}

static void make_exit(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    outcome_add_exit(row_of(row)->job->exit_status, out);
}

static void make_derived(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    if (show_of(ctx)->details)
        outcome_add_exit(row_of(row)->job->derived_status, out);
}

/* ---- when ---- */

static bool run_time(const struct report_context *ctx, const void *row, int64_t *ret)
{
    *ret = outcome_run_time(row_of(row)->job, ctx->now);
    return true;
}

static bool start_time(const struct report_context *ctx, const void *row, int64_t *ret)
{
    (void)ctx;
    *ret = row_of(row)->job->start_time;
    if (!*ret && row_of(row)->job->state == JOB_PENDING)
        *ret = row_of(row)->info->planned_start;
    return *ret != 0;
}

static bool end_time(const struct report_context *ctx, const void *row, int64_t *ret)
{
    int64_t limit = spec_of(row)->time_limit;

    *ret = row_of(row)->job->end_time;
    if (!*ret && limit >= 0 && start_time(ctx, row, ret))
        *ret += limit;
    return *ret != 0;
}

/* The scheduler looks at a job when something changed for it; the start is such a moment. */
static bool last_looked_at(const struct report_context *ctx, const void *row, int64_t *ret)
{
    (void)ctx;
    *ret = row_of(row)->job->start_time ? row_of(row)->job->start_time
                                        : row_of(row)->job->eligible_time;
    return *ret != 0;
}

static void make_scheduler(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    strbuf_adds(out, row_of(row)->job->flags & JOB_FLAG_BACKFILLED ? "Backfill" : "Main");
}

/* ---- where ---- */

static void make_allocator(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    const char *host = spec_of(row)->submit_host;

    (void)ctx;
    strbuf_addf(out, "%s:0", host ? host : "");
}

static void make_nodes_planned(const struct report_context *ctx, const void *row,
                               struct strbuf *out)
{
    (void)ctx;
    if (row_of(row)->job->state == JOB_PENDING && row_of(row)->info->planned_nodes)
        strbuf_adds(out, row_of(row)->info->planned_nodes);
}

static void make_batch_host(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    if (row_of(row)->job->nodes_n)
        strbuf_adds(out, row_of(row)->job->nodes[0].name);
}

static void make_node_count(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    const struct job_spec *spec = spec_of(row);
    uint32_t least = count_or(spec->min_nodes, 1);

    (void)ctx;
    if (row_of(row)->job->nodes_n)
        strbuf_addu(out, row_of(row)->job->nodes_n);
    else if (is_count(spec->max_nodes))
        strbuf_addf(out, "%u-%u", least ? least : 1, spec->max_nodes);
    else
        strbuf_addu(out, least ? least : 1);
}

static bool cpus_per_task(const struct report_context *ctx, const void *row, int64_t *ret)
{
    (void)ctx;
    *ret = count_or(spec_of(row)->cpus_per_task, 1);
    return true;
}

/* Boards, sockets, cores, threads of a node. */
static void make_layout(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    const struct job_spec *spec = spec_of(row);

    (void)ctx;
    strbuf_addf(out, "0:%u:", count_or(spec->sockets_per_node, 0));
    add_open(spec->cores_per_socket, out);
    strbuf_addc(out, ':');
    add_open(spec->threads_per_core, out);
}

static void make_requested(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    const struct tres tres = tres_requested(row_of(row)->job);

    (void)ctx;
    tres_format(&tres, out);
}

static void make_allocated(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    const struct tres tres = tres_allocated(row_of(row)->job);

    (void)ctx;
    tres_format(&tres, out);
}

static void make_sockets(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    add_open(spec_of(row)->sockets_per_node, out);
}

static void make_tasks_per(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    const struct job_spec *spec = spec_of(row);

    (void)ctx;
    strbuf_addf(out, "%u:0:", count_or(spec->ntasks_per_node, 0));
    add_open(spec->ntasks_per_socket, out);
    strbuf_addc(out, ':');
    add_open(spec->ntasks_per_core, out);
}

/* ---- details: which cpus on which nodes ---- */

static void add_cpu_ids(const struct job_node *node, struct strbuf *out)
{
    for (uint32_t i = 0; i < node->cpus_n; i++) {
        uint32_t first = node->cpus[i];

        while (i + 1 < node->cpus_n && node->cpus[i + 1] == node->cpus[i] + 1)
            i++;
        strbuf_addf(out, "%s%u", out->len ? "," : "", first);
        if (node->cpus[i] != first)
            strbuf_addf(out, "-%u", node->cpus[i]);
    }
}

static uint64_t memory_of(const struct job_node *node)
{
    return node->memory == MB_UNSET ? 0 : node->memory;
}

static void add_gres(const struct job_node *node, struct strbuf *out)
{
    for (uint32_t i = 0; i < node->gres_n; i++) {
        AUTO(strbuf) struct strbuf text = { 0 };

        job_gres_format(&node->gres[i], &text);
        strbuf_addf(out, "%s%s", i ? "," : "", strbuf_text(&text));
    }
}

/* What the job holds of a node, without its name. */
static char *holdings_of(const struct job_node *node)
{
    AUTO(strbuf) struct strbuf cpu_ids = { 0 };
    struct strbuf out = { 0 };

    add_cpu_ids(node, &cpu_ids);
    strbuf_addf(&out, "CPU_IDs=%s Mem=%llu GRES=", strbuf_text(&cpu_ids),
                (unsigned long long)memory_of(node));
    add_gres(node, &out);
    return strbuf_steal(&out);
}

/* Neighbours that give the job the same share a line. */
static void make_detail(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    const struct job_record *job = row_of(row)->job;
    uint32_t i = 0;

    if (!show_of(ctx)->details || !job->nodes_n || job_state_is_over(job->state))
        return;
    strbuf_adds(out, "(null)");
    while (i < job->nodes_n) {
        AUTO(hostlist) struct hostlist *names = hostlist_new();
        AUTO_FREE char *holdings = holdings_of(&job->nodes[i]), *list = NULL;

        hostlist_add(names, job->nodes[i].name);
        while (++i < job->nodes_n) {
            AUTO_FREE char *next = holdings_of(&job->nodes[i]);

            if (strcmp(next, holdings) != 0)
                break;
            hostlist_add(names, job->nodes[i].name);
        }
        list = hostlist_format(names);
        strbuf_addf(out, "%sNodes=%s %s", show_of(ctx)->one_line ? " " : "\n     ", list, holdings);
    }
}

/* ---- what a node must have ---- */

static bool min_cpus(const struct report_context *ctx, const void *row, int64_t *ret)
{
    const struct job_spec *spec = spec_of(row);
    uint32_t tasks = count_or(spec->ntasks_per_node, 1);
    uint32_t needed = count_or(spec->cpus_per_task, 1) * (tasks ? tasks : 1);

    (void)ctx;
    *ret = count_or(spec->min_cpus_per_node, 0) > needed ? spec->min_cpus_per_node : needed;
    return true;
}

static void add_mb(const struct report_context *ctx, uint64_t mb, struct strbuf *out)
{
    report_format_mb(mb, ctx->exact_units, out);
}

static void make_mem_per_cpu(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    if (spec_of(row)->mem_per_cpu != MB_UNSET)
        add_mb(ctx, spec_of(row)->mem_per_cpu, out);
}

static void make_mem_per_node(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    uint64_t mb = spec_of(row)->mem_per_node;

    if (spec_of(row)->mem_per_cpu == MB_UNSET)
        add_mb(ctx, mb == MB_UNSET ? 0 : mb, out);
}

static void make_tmp_disk(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    uint64_t mb = spec_of(row)->tmp_disk;

    add_mb(ctx, mb == MB_UNSET ? 0 : mb, out);
}

static void make_share(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    static const char *const words[] = {
        [SHARE_DEFAULT] = "OK",
        [SHARE_EXCLUSIVE] = "NO",
        [SHARE_USER] = "USER",
        [SHARE_OVERSUBSCRIBE] = "YES",
    };
    uint32_t share = spec_of(row)->share;

    (void)ctx;
    strbuf_adds(out, share < ARRAY_N(words) ? words[share] : "?");
}

static bool contiguous(const struct report_context *ctx, const void *row, int64_t *ret)
{
    (void)ctx;
    *ret = spec_of(row)->contiguous;
    return true;
}

/* ---- what else is asked about placement ---- */

static void make_partition(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    place_add_partition(row_of(row)->job, out);
}

static void make_core_spec(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    if (spec_of(row)->thread_spec == COUNT_UNSET)
        add_open(spec_of(row)->core_spec, out);
}

static void make_switches(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    place_add_switches(spec_of(row), out);
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

static void make_binding(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    if (spec_of(row)->gres_flags)
        strbuf_adds(out, spec_of(row)->gres_flags & GRES_FLAG_ENFORCE_BINDING ? "Yes" : "No");
}

static void make_kill_invalid(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    const uint32_t asked = spec_of(row)->kill_invalid_dep;

    (void)ctx;
    if (asked != KILL_INVALID_DEFAULT)
        strbuf_adds(out, asked == KILL_INVALID_YES ? "Yes" : "No");
}

static void make_spread(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    if (spec_of(row)->spread_job)
        strbuf_adds(out, "Yes");
}

/* ---- files: only a batch script has them ---- */

static void make_std_err(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    const struct job_spec *spec = spec_of(row);

    (void)ctx;
    if (spec->kind == JOB_KIND_BATCH)
        outcome_add_path(row_of(row)->job, spec->std_err ? spec->std_err : spec->std_out,
                         job_usual_output(row_of(row)->job), out);
}

static void make_std_in(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    if (spec_of(row)->kind == JOB_KIND_BATCH)
        outcome_add_path(row_of(row)->job, spec_of(row)->std_in, "/dev/null", out);
}

static void make_std_out(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    if (spec_of(row)->kind == JOB_KIND_BATCH)
        outcome_add_path(row_of(row)->job, spec_of(row)->std_out,
                         job_usual_output(row_of(row)->job), out);
}

/* A script with its arguments, as it was called. */
static void make_command(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    const struct job_spec *spec = spec_of(row);

    (void)ctx;
    if (!spec->command)
        return;
    strbuf_adds(out, spec->command);
    for (uint32_t i = 0; i < spec->script_args_n; i++)
        strbuf_addf(out, " %s", spec->script_args[i]);
}

/* Who gave no address is one of MailDomain. */
static void make_mail_user(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    const char *domain = show_of(ctx)->mail_domain;
    const char *user = spec_of(row)->mail_user;

    if (!spec_of(row)->mail_type)
        return;
    strbuf_adds(out, user ? user : row_of(row)->job->user_name);
    if (!user && domain)
        strbuf_addf(out, "@%s", domain);
}

static void make_nothing(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    (void)row;
    (void)out;
}

/* ---- the record ---- */

static const struct report_root roots[] = {
    { "info", job_info_schema, offsetof(struct job_row, info) },
    { "job", job_record_schema, offsetof(struct job_row, job) },
    { "spec", job_spec_schema, offsetof(struct job_row, spec) },
};

/* What no job of this program can have yet. */
#define NEVER(key, word)                                                                           \
    {                                                                                              \
        .title = key, .make = make_nothing, .unset = word                                          \
    }
#define NEVER_NEW_LINE(key, word)                                                                  \
    {                                                                                              \
        .title = key, .make = make_nothing, .unset = word, .style = REPORT_NEW_LINE                \
    }

/* clang-format off */
static const struct report_column columns[] = {
    { .title = "JobId", .path = "job.id" },
    { .title = "ArrayJobId", .number = array_id, .kind = KIND_U32, .style = REPORT_OMIT },
    { .title = "ArrayTaskId", .make = make_tasks, .style = REPORT_OMIT },
    { .title = "ArrayTaskThrottle", .number = throttle, .kind = KIND_U32, .style = REPORT_OMIT },
    { .title = "JobName", .path = "spec.name" },
    { .title = "UserId", .make = make_user, .style = REPORT_NEW_LINE },
    { .title = "GroupId", .make = make_group },
    NEVER("MCS_label", "N/A"),
    { .title = "Priority", .path = "job.priority", .style = REPORT_NEW_LINE },
    { .title = "Nice", .path = "spec.nice" },
    { .title = "Account", .path = "spec.account" },
    { .title = "QOS", .path = "spec.qos" },
    { .title = "JobState", .make = make_state, .style = REPORT_NEW_LINE },
    { .title = "Reason", .make = make_reason },
    { .title = "Dependency", .make = make_dependency, .unset = "(null)" },
    { .title = "Requeue", .number = requeue, .kind = KIND_U32, .style = REPORT_NEW_LINE },
    { .title = "Restarts", .path = "job.restarts" },
    { .title = "BatchFlag", .number = is_batch, .kind = KIND_U32 },
    NEVER("Reboot", "0"),
    { .title = "ExitCode", .make = make_exit },
    { .title = "DerivedExitCode", .make = make_derived, .style = REPORT_NEW_LINE | REPORT_OMIT },
    { .title = "RunTime", .number = run_time, .kind = KIND_LIMIT, .style = REPORT_NEW_LINE | REPORT_LONG },
    { .title = "TimeLimit", .path = "spec.time_limit", .unset = "Partition_Limit", .style = REPORT_LONG },
    { .title = "TimeMin", .path = "spec.time_min", .unset = "N/A", .style = REPORT_LONG },
    { .title = "SubmitTime", .path = "job.submit_time", .unset = "Unknown", .style = REPORT_NEW_LINE },
    { .title = "EligibleTime", .path = "job.eligible_time", .unset = "Unknown" },
    { .title = "AccrueTime", .path = "job.eligible_time", .unset = "Unknown", .style = REPORT_NEW_LINE },
    { .title = "StartTime", .number = start_time, .kind = KIND_TIME, .unset = "Unknown", .style = REPORT_NEW_LINE },
    { .title = "EndTime", .number = end_time, .kind = KIND_TIME, .unset = "Unknown" },
    { .title = "Deadline", .path = "spec.deadline", .unset = "N/A" },
    { .title = "SuspendTime", .path = "job.suspend_time", .unset = "None", .style = REPORT_NEW_LINE },
    { .title = "SecsPreSuspend", .path = "job.pre_suspend_s", .unset = "0" },
    { .title = "LastSchedEval", .number = last_looked_at, .kind = KIND_TIME, .unset = "Unknown" },
    { .title = "Scheduler", .make = make_scheduler },
    { .title = "Partition", .make = make_partition, .style = REPORT_NEW_LINE },
    { .title = "AllocNode:Sid", .make = make_allocator },
    { .title = "ReqNodeList", .path = "spec.req_nodes", .style = REPORT_NEW_LINE },
    { .title = "ExcNodeList", .path = "spec.exc_nodes" },
    { .title = "NodeList", .path = "job.node_list", .unset = "", .style = REPORT_NEW_LINE },
    { .title = "SchedNodeList", .make = make_nodes_planned, .style = REPORT_OMIT },
    { .title = "BatchHost", .make = make_batch_host, .style = REPORT_NEW_LINE | REPORT_OMIT },
    { .title = "NumNodes", .make = make_node_count, .style = REPORT_NEW_LINE },
    { .title = "NumCPUs", .path = "job.ncpus" },
    { .title = "NumTasks", .path = "job.ntasks" },
    { .title = "CPUs/Task", .number = cpus_per_task, .kind = KIND_U32 },
    { .title = "ReqB:S:C:T", .make = make_layout },
    { .title = "ReqTRES", .make = make_requested, .unset = "(null)", .style = REPORT_NEW_LINE },
    { .title = "AllocTRES", .make = make_allocated, .unset = "(null)", .style = REPORT_NEW_LINE },
    { .title = "Socks/Node", .make = make_sockets, .style = REPORT_NEW_LINE },
    { .title = "NtasksPerN:B:S:C", .make = make_tasks_per },
    { .title = "CoreSpec", .make = make_core_spec, .style = REPORT_OMIT },
    { .title = "ThreadSpec", .path = "spec.thread_spec", .style = REPORT_OMIT },
    { .title = "JOB_GRES", .make = make_detail, .style = REPORT_NEW_LINE | REPORT_OMIT },
    { .title = "MinCPUsNode", .number = min_cpus, .kind = KIND_U32, .style = REPORT_NEW_LINE },
    { .title = "MinMemoryCPU", .make = make_mem_per_cpu, .style = REPORT_OMIT },
    { .title = "MinMemoryNode", .make = make_mem_per_node, .style = REPORT_OMIT },
    { .title = "MinTmpDiskNode", .make = make_tmp_disk },
    { .title = "Features", .path = "spec.features", .style = REPORT_NEW_LINE },
    NEVER("DelayBoot", "00:00:00"),
    { .title = "OverSubscribe", .make = make_share, .style = REPORT_NEW_LINE },
    { .title = "Contiguous", .number = contiguous, .kind = KIND_U32 },
    { .title = "Licenses", .path = "spec.licenses" },
    NEVER("LicensesAlloc", "(null)"),
    NEVER("Network", "(null)"),
    { .title = "Command", .make = make_command, .unset = "(null)", .style = REPORT_NEW_LINE },
    { .title = "WorkDir", .path = "spec.work_dir", .style = REPORT_NEW_LINE },
    { .title = "AdminComment",
      .path = "spec.admin_comment",
      .style = REPORT_NEW_LINE | REPORT_OMIT },
    { .title = "Comment", .path = "spec.comment", .style = REPORT_NEW_LINE | REPORT_OMIT },
    { .title = "WCKey", .path = "spec.wckey", .style = REPORT_NEW_LINE | REPORT_OMIT },
    { .title = "StdErr", .make = make_std_err, .style = REPORT_NEW_LINE | REPORT_OMIT },
    { .title = "StdIn", .make = make_std_in, .style = REPORT_NEW_LINE | REPORT_OMIT },
    { .title = "StdOut", .make = make_std_out, .style = REPORT_NEW_LINE | REPORT_OMIT },
    { .title = "Reservation", .path = "spec.reservation", .style = REPORT_NEW_LINE | REPORT_OMIT },
    { .title = "Switches", .make = make_switches, .style = REPORT_NEW_LINE | REPORT_OMIT },
    { .title = "GresEnforceBind", .make = make_binding, .style = REPORT_NEW_LINE | REPORT_OMIT },
    { .title = "KillOInInvalidDependent",
      .make = make_kill_invalid,
      .style = REPORT_NEW_LINE | REPORT_OMIT },
    { .title = "SpreadJob", .make = make_spread, .style = REPORT_NEW_LINE | REPORT_OMIT },
    { .title = "CpusPerTres", .make = make_cpus_per_gpu, .style = REPORT_NEW_LINE | REPORT_OMIT },
    { .title = "MemPerTres", .make = make_mem_per_gpu, .style = REPORT_NEW_LINE | REPORT_OMIT },
    { .title = "TresPerJob", .path = "spec.tres_per_job", .style = REPORT_NEW_LINE | REPORT_OMIT },
    { .title = "TresPerNode", .path = "spec.tres_per_node", .style = REPORT_NEW_LINE | REPORT_OMIT },
    { .title = "TresPerSocket", .path = "spec.tres_per_socket", .style = REPORT_NEW_LINE | REPORT_OMIT },
    { .title = "TresPerTask", .path = "spec.tres_per_task", .style = REPORT_NEW_LINE | REPORT_OMIT },
    { .title = "NtasksPerTRES", .path = "spec.ntasks_per_gpu", .style = REPORT_NEW_LINE | REPORT_OMIT },
    { .title = "MailUser", .make = make_mail_user, .style = REPORT_NEW_LINE | REPORT_OMIT },
    { .title = "MailType", .path = "spec.mail_type", .style = REPORT_OMIT },
};
/* clang-format on */

const struct report_table show_job_table = { roots, ARRAY_N(roots), columns, ARRAY_N(columns) };

void show_job(const struct show *show, const struct job_info *info, struct strbuf *out)
{
    const struct job_row row = { info, info->job, info->job->spec };
    struct report_context ctx = show->ctx;

    ctx.now = info->now;
    ctx.user = show;
    report_record(&show_job_table, show->paths, &ctx, &row, show->one_line, out);
}
