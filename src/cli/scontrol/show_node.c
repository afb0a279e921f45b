/* show_node.c - scontrol show node. */
#include "cli/lib/nodes.h"
#include "cli/scontrol/show.h"
#include "common/msg/tres.h"
#include "common/text/cpubind.h"

struct node_row {
    const struct node_info *info;
    const struct node_record *node;
    const struct node_hardware *hardware; /* NULL before the first registration */
};

static const struct node_row *row_of(const void *row)
{
    return row;
}

static const struct node_info *info_of(const void *row)
{
    return row_of(row)->info;
}

static const struct show *show_of(const struct report_context *ctx)
{
    return ctx->user;
}

/* Appends the cores. Slurm ends some lines with a blank; so do scripts' patterns. */
static void make_cores(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    strbuf_addf(out, "%u ", info_of(row)->cores_per_socket);
}

static void make_bind(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    strbuf_adds(out, cpu_bind_word((enum cpu_bind_kind)info_of(row)->cpu_bind));
}

static bool effective_cpus(const struct report_context *ctx, const void *row, int64_t *ret)
{
    (void)ctx;
    *ret = nodes_cpus_for_jobs(info_of(row));
    return true;
}

static void make_load(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    uint32_t percent = info_of(row)->load_percent;

    (void)ctx;
    if (percent != COUNT_UNSET)
        strbuf_addf(out, "%u.%02u", percent / 100, percent % 100);
}

static void make_gres_drain(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)row;
    if (show_of(ctx)->details)
        strbuf_adds(out, "N/A");
}

static void make_gres_used(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    if (show_of(ctx)->details && info_of(row)->gres_used)
        strbuf_adds(out, info_of(row)->gres_used);
}

static bool other_port(const struct report_context *ctx, const void *row, int64_t *ret)
{
    *ret = info_of(row)->port;
    return *ret && *ret != show_of(ctx)->slurmd_port;
}

static void make_os(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    const struct node_hardware *hardware = row_of(row)->hardware;

    (void)ctx;
    if (hardware && hardware->os)
        strbuf_addf(out, "%s ", hardware->os);
}

static bool alloc_memory(const struct report_context *ctx, const void *row, int64_t *ret)
{
    (void)ctx;
    *ret = (int64_t)info_of(row)->alloc_memory_mb;
    return true;
}

static void make_cgroup(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    const struct node_hardware *hardware = row_of(row)->hardware;

    if (show_of(ctx)->details && hardware && hardware->cgroup_mode)
        strbuf_adds(out, hardware->cgroup_mode);
}

static bool core_spec(const struct report_context *ctx, const void *row, int64_t *ret)
{
    (void)ctx;
    *ret = info_of(row)->core_spec_count;
    return *ret != 0;
}

static bool mem_spec(const struct report_context *ctx, const void *row, int64_t *ret)
{
    (void)ctx;
    *ret = (int64_t)info_of(row)->mem_spec_limit_mb;
    return *ret != 0;
}

static void make_state(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    node_state_format(info_of(row)->state, info_of(row)->flags, out);
}

static void make_partitions(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    const struct node_info *info = info_of(row);

    (void)ctx;
    for (uint32_t i = 0; i < info->partitions_n; i++)
        strbuf_addf(out, "%s%s", i ? "," : "", info->partitions[i]);
    if (info->partitions_n)
        strbuf_addc(out, ' ');
}

static void make_configured(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    AUTO(tres) struct tres tres = nodes_tres(info_of(row));

    tres_format(&tres, ctx->counted, out);
}

static void make_allocated(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    AUTO(tres) struct tres tres = nodes_tres_used(info_of(row));

    tres_format(&tres, ctx->counted, out);
}

static void make_reason(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    const struct node_record *node = row_of(row)->node;
    AUTO_FREE char *name = NULL;

    if (!node->reason || !*node->reason)
        return;
    strbuf_adds(out, node->reason);
    if (!node->reason_time)
        return;
    name = show_of(ctx)->user_name ? show_of(ctx)->user_name(node->reason_uid) : NULL;
    if (name)
        strbuf_addf(out, " [%s@", name);
    else
        strbuf_addf(out, " [%u@", node->reason_uid);
    report_format_number(KIND_TIME, node->reason_time, 0, ctx, out);
    strbuf_addc(out, ']');
}

/* Appends what the node is to be after its reboot. */
static void make_next(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    const uint32_t next = row_of(row)->node->reboot_next;

    (void)ctx;
    if (next != NODE_REBOOT_AS_BEFORE)
        strbuf_adds(out, next == NODE_REBOOT_THEN_DOWN ? "DOWN" : "RESUME");
}

static void make_nothing(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    (void)row;
    (void)out;
}

static const struct report_root roots[] = {
    { "info", node_info_schema, offsetof(struct node_row, info) },
    { "node", node_record_schema, offsetof(struct node_row, node) },
    { "hardware", node_hardware_schema, offsetof(struct node_row, hardware) },
};

#define NEVER(key, word)                                                                           \
    {                                                                                              \
        .title = key, .make = make_nothing, .unset = word                                          \
    }

/* clang-format off */
static const struct report_column columns[] = {
    { .title = "NodeName", .path = "node.name" },
    { .title = "Arch", .path = "hardware.arch", .style = REPORT_OMIT },
    { .title = "CpuBind", .make = make_bind, .style = REPORT_OMIT },
    { .title = "CoresPerSocket", .make = make_cores },
    { .title = "CPUAlloc", .path = "info.alloc_cpus", .style = REPORT_NEW_LINE },
    { .title = "CPUEfctv", .number = effective_cpus, .kind = KIND_U32 },
    { .title = "CPUTot", .path = "info.cpus" },
    { .title = "CPULoad", .make = make_load, .unset = "N/A" },
    { .title = "AvailableFeatures", .path = "info.features", .style = REPORT_NEW_LINE },
    { .title = "ActiveFeatures", .path = "info.active_features", .style = REPORT_NEW_LINE },
    { .title = "Gres", .path = "info.gres", .style = REPORT_NEW_LINE },
    { .title = "GresDrain", .make = make_gres_drain, .style = REPORT_NEW_LINE | REPORT_OMIT },
    { .title = "GresUsed", .make = make_gres_used, .style = REPORT_NEW_LINE | REPORT_OMIT },
    { .title = "NodeAddr", .path = "info.address", .style = REPORT_NEW_LINE },
    { .title = "NodeHostName", .path = "info.host" },
    { .title = "Port", .number = other_port, .kind = KIND_U32, .style = REPORT_OMIT },
    { .title = "Version", .path = "node.version", .style = REPORT_OMIT },
    { .title = "OS", .make = make_os, .style = REPORT_NEW_LINE | REPORT_OMIT },
    { .title = "RealMemory", .path = "info.memory_mb", .style = REPORT_NEW_LINE },
    { .title = "AllocMem", .number = alloc_memory, .kind = KIND_U32 },
    { .title = "FreeMem", .path = "info.free_memory_mb", .unset = "N/A", .style = REPORT_BARE },
    { .title = "Sockets", .path = "info.sockets" },
    { .title = "Boards", .path = "info.boards" },
    { .title = "CgroupMode", .make = make_cgroup, .style = REPORT_NEW_LINE | REPORT_OMIT },
    { .title = "CoreSpecCount", .number = core_spec, .kind = KIND_U32, .style = REPORT_NEW_LINE | REPORT_OMIT },
    { .title = "MemSpecLimit", .number = mem_spec, .kind = KIND_U32, .style = REPORT_NEW_LINE | REPORT_OMIT },
    { .title = "State", .make = make_state, .style = REPORT_NEW_LINE },
    { .title = "ThreadsPerCore", .path = "info.threads_per_core" },
    { .title = "TmpDisk", .path = "info.tmp_disk_mb" },
    { .title = "Weight", .path = "info.weight" },
    NEVER("Owner", "N/A"),
    NEVER("MCS_label", "N/A"),
    { .title = "NextState", .make = make_next, .style = REPORT_NEW_LINE | REPORT_OMIT },
    { .title = "Partitions", .make = make_partitions, .style = REPORT_NEW_LINE | REPORT_OMIT },
    { .title = "BootTime", .path = "hardware.boot_time", .unset = "None", .style = REPORT_NEW_LINE },
    { .title = "SlurmdStartTime", .path = "node.slurmd_start", .unset = "None" },
    { .title = "LastBusyTime", .path = "node.last_busy", .unset = "Unknown", .style = REPORT_NEW_LINE },
    { .title = "ResumeAfterTime", .path = "node.resume_time", .unset = "None" },
    { .title = "CfgTRES", .make = make_configured, .style = REPORT_NEW_LINE },
    { .title = "AllocTRES", .make = make_allocated, .style = REPORT_NEW_LINE },
    { .title = "CurrentWatts", .make = make_nothing, .unset = "0", .style = REPORT_NEW_LINE },
    NEVER("AveWatts", "0"),
    { .title = "ReservationName", .path = "info.reservation", .style = REPORT_NEW_LINE | REPORT_OMIT },
    { .title = "Reason", .make = make_reason, .style = REPORT_NEW_LINE | REPORT_OMIT },
    { .title = "Comment", .path = "node.comment", .style = REPORT_NEW_LINE | REPORT_OMIT },
    { .title = "Extra", .path = "node.extra", .style = REPORT_NEW_LINE | REPORT_OMIT },
    { .title = "InstanceId", .path = "node.instance_id", .style = REPORT_NEW_LINE | REPORT_OMIT },
    { .title = "InstanceType", .path = "node.instance_type", .style = REPORT_NEW_LINE | REPORT_OMIT },
};
/* clang-format on */

const struct report_table show_node_table = { roots, ARRAY_N(roots), columns, ARRAY_N(columns) };

static struct report_context context_of(const struct show *show, const struct node_info *info)
{
    struct report_context ctx = show->ctx;

    ctx.now = info->now;
    ctx.user = show;
    return ctx;
}

void show_node_values(const struct show *show, const struct node_info *info, show_value_fn *take,
                      void *ctx)
{
    const struct node_row row = { info, info->node, info->node->hardware };
    const struct report_context here = context_of(show, info);

    show_values(&show_node_table, &here, &row, take, ctx);
}

void show_node(const struct show *show, const struct node_info *info, struct strbuf *out)
{
    const struct node_row row = { info, info->node, info->node->hardware };
    const struct report_context ctx = context_of(show, info);

    report_record(&show_node_table, show->paths, &ctx, &row, show->one_line, out);
}
