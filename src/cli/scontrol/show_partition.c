/* show_partition.c - scontrol show partition. */
#include <inttypes.h>

#include "cli/lib/nodes.h"
#include "cli/scontrol/show.h"
#include "common/text/cpubind.h"

struct partition_row {
    const struct partition_info *info;
};

static const struct partition_info *info_of(const void *row)
{
    return ((const struct partition_row *)row)->info;
}

#define YES_NO(function, member)                                                                   \
    static void function(const struct report_context *ctx, const void *row, struct strbuf *out)    \
    {                                                                                              \
        (void)ctx;                                                                                 \
        strbuf_adds(out, info_of(row)->member ? "YES" : "NO");                                     \
    }

YES_NO(make_default, is_default)
YES_NO(make_no_root_jobs, no_root_jobs)
YES_NO(make_exclusive_user, exclusive_user)
YES_NO(make_hidden, hidden)
YES_NO(make_lln, lln)
YES_NO(make_root_only, root_only)
YES_NO(make_reservation_only, reservation_only)

static void make_allowed_accounts(const struct report_context *ctx, const void *row,
                                  struct strbuf *out)
{
    const struct partition_info *info = info_of(row);

    (void)ctx;
    if (info->allow_accounts || !info->deny_accounts)
        strbuf_adds(out, info->allow_accounts ? info->allow_accounts : "ALL");
}

static void make_denied_accounts(const struct report_context *ctx, const void *row,
                                 struct strbuf *out)
{
    const struct partition_info *info = info_of(row);

    (void)ctx;
    if (!info->allow_accounts && info->deny_accounts)
        strbuf_adds(out, info->deny_accounts);
}

static void make_allowed_qos(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    const struct partition_info *info = info_of(row);

    (void)ctx;
    if (info->allow_qos || !info->deny_qos)
        strbuf_adds(out, info->allow_qos ? info->allow_qos : "ALL");
}

static void make_denied_qos(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    const struct partition_info *info = info_of(row);

    (void)ctx;
    if (!info->allow_qos && info->deny_qos)
        strbuf_adds(out, info->deny_qos);
}

static void make_state(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    static const char *const words[] = { [PARTITION_UP] = "UP",
                                         [PARTITION_DOWN] = "DOWN",
                                         [PARTITION_DRAIN] = "DRAIN",
                                         [PARTITION_INACTIVE] = "INACTIVE" };
    uint32_t state = info_of(row)->state;

    (void)ctx;
    strbuf_adds(out, state < ARRAY_N(words) ? words[state] : "?");
}

static void add_count(uint32_t count, struct strbuf *out)
{
    if (count == COUNT_UNSET || count == COUNT_INFINITE)
        strbuf_adds(out, "UNLIMITED");
    else
        strbuf_addf(out, "%u", count);
}

static void make_max_nodes(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    add_count(info_of(row)->max_nodes, out);
}

static void make_max_cpus(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    add_count(info_of(row)->max_cpus_per_node, out);
}

static void make_max_socket_cpus(const struct report_context *ctx, const void *row,
                                 struct strbuf *out)
{
    (void)ctx;
    add_count(info_of(row)->max_cpus_per_socket, out);
}

/* Appends the binding; Slurm has a blank more behind it. */
static void make_bind(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    const uint32_t kind = info_of(row)->cpu_bind;

    (void)ctx;
    if (kind != CPU_BIND_UNSAID)
        strbuf_addf(out, "%s ", cpu_bind_word((enum cpu_bind_kind)kind));
}

static void make_job_defaults(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    const struct partition_info *info = info_of(row);
    const bool has_cpus = info->def_cpu_per_gpu != COUNT_UNSET;

    (void)ctx;
    if (has_cpus)
        strbuf_addf(out, "DefCpuPerGPU=%u", info->def_cpu_per_gpu);
    if (info->def_mem_per_gpu != MB_UNSET)
        strbuf_addf(out, "%sDefMemPerGPU=%llu", has_cpus ? "," : "",
                    (unsigned long long)info->def_mem_per_gpu);
}

/* Appends whole minutes; no time is not said as 0. */
static void make_over_time(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    int64_t s = info_of(row)->over_time;

    (void)ctx;
    if (s == LIMIT_INFINITE)
        strbuf_adds(out, "UNLIMITED");
    else if (s > 0)
        strbuf_addf(out, "%" PRId64, s / 60);
}

static bool is_mb(uint64_t mb)
{
    return mb && mb != MB_UNSET;
}

static void make_def_per_cpu(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    if (is_mb(info_of(row)->def_mem_per_cpu))
        strbuf_addf(out, "%" PRIu64, info_of(row)->def_mem_per_cpu);
}

static void make_max_per_cpu(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    if (is_mb(info_of(row)->max_mem_per_cpu))
        strbuf_addf(out, "%" PRIu64, info_of(row)->max_mem_per_cpu);
}

/* Appends a limit per node; nothing where it is per cpu, UNLIMITED where there is none. */
static void add_per_node(uint64_t per_node, uint64_t per_cpu, struct strbuf *out)
{
    if (is_mb(per_cpu))
        return;
    if (is_mb(per_node))
        strbuf_addf(out, "%" PRIu64, per_node);
    else
        strbuf_adds(out, "UNLIMITED");
}

static void make_def_per_node(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    add_per_node(info_of(row)->def_mem_per_node, info_of(row)->def_mem_per_cpu, out);
}

static void make_max_per_node(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    add_per_node(info_of(row)->max_mem_per_node, info_of(row)->max_mem_per_cpu, out);
}

static void make_tres(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    AUTO(tres) struct tres tres = nodes_tres_of(info_of(row));

    tres_format(&tres, ctx->counted, out);
}

static void make_nothing(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    (void)row;
    (void)out;
}

static const struct report_root roots[] = {
    { "info", partition_info_schema, offsetof(struct partition_row, info) },
};

#define NEVER(key, word)                                                                           \
    {                                                                                              \
        .title = key, .make = make_nothing, .unset = word                                          \
    }

/* clang-format off */
static const struct report_column columns[] = {
    { .title = "PartitionName", .path = "info.name" },
    { .title = "AllowGroups", .path = "info.allow_groups", .unset = "ALL", .style = REPORT_NEW_LINE },
    { .title = "AllowAccounts", .make = make_allowed_accounts, .style = REPORT_OMIT },
    { .title = "DenyAccounts", .make = make_denied_accounts, .style = REPORT_OMIT },
    { .title = "AllowQos", .make = make_allowed_qos, .style = REPORT_OMIT },
    { .title = "DenyQos", .make = make_denied_qos, .style = REPORT_OMIT },
    { .title = "AllocNodes", .path = "info.alloc_nodes", .unset = "ALL", .style = REPORT_NEW_LINE },
    { .title = "Alternate", .path = "info.alternate", .style = REPORT_OMIT },
    { .title = "Default", .make = make_default },
    { .title = "CpuBind", .make = make_bind, .style = REPORT_OMIT },
    { .title = "QoS", .path = "info.qos", .unset = "N/A" },
    { .title = "DefaultTime", .path = "info.default_time", .unset = "NONE", .style = REPORT_NEW_LINE | REPORT_LONG },
    { .title = "DisableRootJobs", .make = make_no_root_jobs },
    { .title = "ExclusiveUser", .make = make_exclusive_user },
    NEVER("ExclusiveTopo", "NO"),
    { .title = "GraceTime", .path = "info.grace_time_s" },
    { .title = "Hidden", .make = make_hidden },
    { .title = "MaxNodes", .make = make_max_nodes, .style = REPORT_NEW_LINE },
    { .title = "MaxTime", .path = "info.max_time", .unset = "UNLIMITED", .style = REPORT_LONG },
    { .title = "MinNodes", .path = "info.min_nodes" },
    { .title = "LLN", .make = make_lln },
    { .title = "MaxCPUsPerNode", .make = make_max_cpus },
    { .title = "MaxCPUsPerSocket", .make = make_max_socket_cpus },
    { .title = "Nodes", .path = "info.nodes", .style = REPORT_NEW_LINE },
    { .title = "PriorityJobFactor", .path = "info.priority_job_factor", .style = REPORT_NEW_LINE },
    { .title = "PriorityTier", .path = "info.priority_tier" },
    { .title = "RootOnly", .make = make_root_only },
    { .title = "ReqResv", .make = make_reservation_only },
    { .title = "OverSubscribe", .path = "info.oversubscribe", .unset = "NO" },
    { .title = "OverTimeLimit", .make = make_over_time, .unset = "NONE", .style = REPORT_NEW_LINE },
    { .title = "PreemptMode", .path = "info.preempt_mode", .unset = "OFF" },
    { .title = "State", .make = make_state, .style = REPORT_NEW_LINE },
    { .title = "TotalCPUs", .path = "info.total_cpus" },
    { .title = "TotalNodes", .path = "info.total_nodes" },
    { .title = "SelectTypeParameters", .path = "info.select_params", .unset = "NONE" },
    { .title = "JobDefaults", .make = make_job_defaults, .unset = "(null)", .style = REPORT_NEW_LINE },
    { .title = "DefMemPerCPU", .make = make_def_per_cpu, .style = REPORT_NEW_LINE | REPORT_OMIT },
    { .title = "DefMemPerNode", .make = make_def_per_node, .style = REPORT_NEW_LINE | REPORT_OMIT },
    { .title = "MaxMemPerCPU", .make = make_max_per_cpu, .style = REPORT_OMIT },
    { .title = "MaxMemPerNode", .make = make_max_per_node, .style = REPORT_OMIT },
    { .title = "TRES", .make = make_tres, .unset = "(null)", .style = REPORT_NEW_LINE },
    { .title = "TRESBillingWeights", .path = "info.billing_weights", .style = REPORT_NEW_LINE | REPORT_OMIT },
};
/* clang-format on */

const struct report_table show_partition_table = { roots, ARRAY_N(roots), columns,
                                                   ARRAY_N(columns) };

void show_partition_values(const struct show *show, const struct partition_info *info,
                           show_value_fn *take, void *ctx)
{
    const struct partition_row row = { info };

    show_values(&show_partition_table, &show->ctx, &row, take, ctx);
}

void show_partition(const struct show *show, const struct partition_info *info, struct strbuf *out)
{
    const struct partition_row row = { info };

    report_record(&show_partition_table, show->paths, &show->ctx, &row, show->one_line, out);
}
