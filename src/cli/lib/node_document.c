#include "cli/lib/node_document.h"

#include <pwd.h>

#include "cli/lib/document_fields.h"
#include "cli/lib/nodes.h"
#include "cli/lib/select_document.h"
#include "common/text/cpubind.h"

static const struct node_document_row *node_of(const void *row)
{
    return row;
}

static const struct partition_document_row *part_of(const void *row)
{
    return row;
}

struct node_document_row node_document_row(const struct node_info *info, const char *cluster)
{
    return (struct node_document_row){ info, info->node, info->node->hardware, cluster };
}

void node_document_state(const struct node_info *info, struct json_writer *json, const char *key)
{
    AUTO(strbuf) struct strbuf text = { 0 };

    node_state_format(info->state, info->flags, &text);
    document_words(json, key, strbuf_text(&text), "+");
}

/* ---- a node ---- */

static void make_state(const struct report_context *ctx, const void *row, struct json_writer *json,
                       const char *key)
{
    (void)ctx;
    node_document_state(node_of(row)->info, json, key);
}

/* Writes an empty member: nothing is told there since data parser v0.0.42. */
static void make_empty(const struct report_context *ctx, const void *row, struct json_writer *json,
                       const char *key)
{
    (void)ctx;
    (void)row;
    json_open_object(json, key);
    json_close(json);
}

static void make_node_cluster(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    strbuf_adds(out, node_of(row)->cluster);
}

static bool idle_cpus(const struct report_context *ctx, const void *row, int64_t *ret)
{
    const struct node_info *info = node_of(row)->info;

    (void)ctx;
    *ret = info->cpus > info->alloc_cpus ? info->cpus - info->alloc_cpus : 0;
    return true;
}

static void make_tres(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    AUTO(tres) struct tres tres = nodes_tres(node_of(row)->info);

    tres_format(&tres, ctx->counted, out);
}

static void make_tres_used(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    AUTO(tres) struct tres tres = nodes_tres_used(node_of(row)->info);

    tres_format(&tres, ctx->counted, out);
}

static void make_reason_user(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    const struct node_record *node = node_of(row)->node;
    const struct passwd *user = node->reason && *node->reason ? getpwuid(node->reason_uid) : NULL;

    (void)ctx;
    if (user)
        strbuf_adds(out, user->pw_name);
}

static bool effective_cpus(const struct report_context *ctx, const void *row, int64_t *ret)
{
    (void)ctx;
    *ret = nodes_cpus_for_jobs(node_of(row)->info);
    return true;
}

/* Returns CpuBind= in the numbers of Slurm's own interface, which are bits. */
static int64_t binding(uint32_t kind)
{
    static const int64_t numbers[] = {
        [CPU_BIND_THREADS] = 2, [CPU_BIND_CORES] = 4, [CPU_BIND_SOCKETS] = 8,
        [CPU_BIND_LDOMS] = 16,  [CPU_BIND_NONE] = 32,
    };

    return kind < ARRAY_N(numbers) ? numbers[kind] : 0;
}

static bool node_binding(const struct report_context *ctx, const void *row, int64_t *ret)
{
    (void)ctx;
    *ret = binding(node_of(row)->info->cpu_bind);
    return true;
}

static void make_next_state(const struct report_context *ctx, const void *row,
                            struct json_writer *json, const char *key)
{
    static const char *const words[] = { [NODE_REBOOT_AS_BEFORE] = NULL,
                                         [NODE_REBOOT_THEN_RESUME] = "RESUME",
                                         [NODE_REBOOT_THEN_DOWN] = "DOWN" };
    const struct node_record *node = node_of(row)->node;

    (void)ctx;
    document_word(json, key,
                  node->reboot && node->reboot_next < ARRAY_N(words) ? words[node->reboot_next]
                                                                     : NULL);
}

static const struct report_root node_roots[] = {
    { "info", node_info_schema, offsetof(struct node_document_row, info) },
    { "node", node_record_schema, offsetof(struct node_document_row, node) },
    { "hardware", node_hardware_schema, offsetof(struct node_document_row, hardware) },
};

/* clang-format off */
static const struct document_field node_fields[] = {
    TEXT("architecture", .path = "hardware.arch"),
    NO_TEXT("burstbuffer_network_address"),
    PLAIN("boards", .path = "info.boards"),
    NUMBER("boot_time", .path = "hardware.boot_time"),
    TEXT("cluster_name", .make = make_node_cluster),
    PLAIN("cores", .path = "info.cores_per_socket"),
    PLAIN("specialized_cores", .path = "info.core_spec_count"),
    PLAIN("cpu_binding", .number = node_binding),
    PLAIN("cpu_load", .path = "info.load_percent"),
    NUMBER("free_mem", .path = "info.free_memory_mb"),
    PLAIN("cpus", .path = "info.cpus"),
    PLAIN("effective_cpus", .number = effective_cpus),
    TEXT("specialized_cpus", .path = "info.cpu_spec_list"),
    ZERO("energy.average_watts"),
    ZERO("energy.base_consumed_energy"),
    ZERO("energy.consumed_energy"),
    NO_NUMBER("energy.current_watts"),
    ZERO("energy.previous_consumed_energy"),
    ZERO("energy.last_collected"),
    MADE("external_sensors", make_empty),
    TEXT("extra", .path = "node.extra"),
    MADE("power", make_empty),
    WORDS("features", .path = "info.features"),
    WORDS("active_features", .path = "info.active_features"),
    NO_TEXT("gpu_spec"),
    TEXT("gres", .path = "info.gres"),
    TEXT("gres_drained", .letter = 0),
    TEXT("gres_used", .path = "info.gres_used"),
    TEXT("instance_id", .path = "node.instance_id"),
    TEXT("instance_type", .path = "node.instance_type"),
    NUMBER("last_busy", .path = "node.last_busy"),
    NO_TEXT("mcs_label"),
    PLAIN("specialized_memory", .path = "info.mem_spec_limit_mb"),
    TEXT("name", .path = "node.name"),
    MADE("next_state_after_reboot", make_next_state),
    TEXT("address", .path = "info.address"),
    TEXT("hostname", .path = "info.host"),
    MADE("state", make_state),
    TEXT("operating_system", .path = "hardware.os"),
    NO_TEXT("owner"),
    WORDS("partitions", .path = "info.partitions"),
    PLAIN("port", .path = "info.port"),
    PLAIN("real_memory", .path = "info.memory_mb"),
    ZERO("res_cores_per_gpu"),
    TEXT("comment", .path = "node.comment"),
    TEXT("reason", .path = "node.reason"),
    NUMBER("reason_changed_at", .path = "node.reason_time"),
    TEXT("reason_set_by_user", .make = make_reason_user),
    NUMBER("resume_after", .path = "node.resume_time"),
    TEXT("reservation", .path = "info.reservation"),
    PLAIN("alloc_memory", .path = "info.alloc_memory_mb"),
    PLAIN("alloc_cpus", .path = "info.alloc_cpus"),
    PLAIN("alloc_idle_cpus", .number = idle_cpus),
    TEXT("tres_used", .make = make_tres_used),
    ZERO("tres_weighted"),
    NUMBER("slurmd_start_time", .path = "node.slurmd_start"),
    PLAIN("sockets", .path = "info.sockets"),
    PLAIN("threads", .path = "info.threads_per_core"),
    PLAIN("temporary_disk", .path = "info.tmp_disk_mb"),
    PLAIN("weight", .path = "info.weight"),
    TEXT("tres", .make = make_tres),
    NO_WORDS("cert_flags"),
    NEVER("tls_cert_last_renewal"),
    NO_TEXT("topology"),
    TEXT("version", .path = "node.version"),
};
/* clang-format on */

const struct document_table node_document = { node_roots, ARRAY_N(node_roots), node_fields,
                                              ARRAY_N(node_fields) };

/* ---- a partition ---- */

static void make_part_state(const struct report_context *ctx, const void *row,
                            struct json_writer *json, const char *key)
{
    static const char *const words[] = { [PARTITION_UP] = "UP",
                                         [PARTITION_DOWN] = "DOWN",
                                         [PARTITION_DRAIN] = "DRAIN",
                                         [PARTITION_INACTIVE] = "INACTIVE" };
    const uint32_t state = part_of(row)->part->state;

    (void)ctx;
    document_word(json, key, state < ARRAY_N(words) ? words[state] : NULL);
}

static void make_part_cluster(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    strbuf_adds(out, part_of(row)->cluster);
}

static void make_part_tres(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    AUTO(tres) struct tres tres = nodes_tres_of(part_of(row)->part);

    tres_format(&tres, ctx->counted, out);
}

static bool part_binding(const struct report_context *ctx, const void *row, int64_t *ret)
{
    (void)ctx;
    *ret = binding(part_of(row)->part->cpu_bind);
    return true;
}

static void make_part_select(const struct report_context *ctx, const void *row,
                             struct json_writer *json, const char *key)
{
    (void)ctx;
    document_select(json, key, part_of(row)->part->select);
}

static void make_part_force(const struct report_context *ctx, const void *row,
                            struct json_writer *json, const char *key)
{
    (void)ctx;
    document_word(json, key, part_of(row)->part->share == OVERSUBSCRIBE_FORCE ? "force" : NULL);
}

static const struct report_root part_roots[] = {
    { "part", partition_info_schema, offsetof(struct partition_document_row, part) },
};

/* clang-format off */
static const struct document_field part_fields[] = {
    TEXT("nodes.allowed_allocation", .path = "part.alloc_nodes"),
    TEXT("nodes.configured", .path = "part.nodes"),
    PLAIN("nodes.total", .path = "part.total_nodes"),
    TEXT("accounts.allowed", .path = "part.allow_accounts"),
    TEXT("accounts.deny", .path = "part.deny_accounts"),
    TEXT("groups.allowed", .path = "part.allow_groups"),
    TEXT("qos.allowed", .path = "part.allow_qos"),
    TEXT("qos.deny", .path = "part.deny_qos"),
    TEXT("qos.assigned", .path = "part.qos"),
    TEXT("alternate", .path = "part.alternate"),
    TEXT("tres.billing_weights", .path = "part.billing_weights"),
    TEXT("tres.configured", .make = make_part_tres),
    TEXT("cluster", .make = make_part_cluster),
    MADE("select_type", make_part_select),
    PLAIN("cpus.task_binding", .number = part_binding),
    PLAIN("cpus.total", .path = "part.total_cpus"),
    PLAIN("defaults.memory_per_cpu", .path = "part.def_mem_per_cpu"),
    NUMBER("defaults.partition_memory_per_cpu", .path = "part.def_mem_per_cpu"),
    NUMBER("defaults.partition_memory_per_node", .path = "part.def_mem_per_node"),
    MINUTES("defaults.time", .path = "part.default_time"),
    NO_TEXT("defaults.job"),
    PLAIN("grace_time", .path = "part.grace_time_s"),
    NUMBER("maximums.cpus_per_node", .path = "part.max_cpus_per_node"),
    NUMBER("maximums.cpus_per_socket", .path = "part.max_cpus_per_socket"),
    PLAIN("maximums.memory_per_cpu", .path = "part.max_mem_per_cpu"),
    NUMBER("maximums.partition_memory_per_cpu", .path = "part.max_mem_per_cpu"),
    NUMBER("maximums.partition_memory_per_node", .path = "part.max_mem_per_node"),
    NUMBER("maximums.nodes", .path = "part.max_nodes"),
    PLAIN("maximums.shares", .path = "part.share_max"),
    PLAIN("maximums.oversubscribe.jobs", .path = "part.share_max"),
    MADE("maximums.oversubscribe.flags", make_part_force),
    MINUTES("maximums.time", .path = "part.max_time"),
    MINUTES("maximums.over_time_limit", .path = "part.over_time"),
    PLAIN("minimums.nodes", .path = "part.min_nodes"),
    TEXT("name", .path = "part.name"),
    NO_TEXT("node_sets"),
    PLAIN("priority.job_factor", .path = "part.priority_job_factor"),
    PLAIN("priority.tier", .path = "part.priority_tier"),
    NO_NUMBER("timeouts.resume"),
    NO_NUMBER("timeouts.suspend"),
    MADE("partition.state", make_part_state),
    NO_NUMBER("suspend_time"),
    NO_TEXT("topology"),
};
/* clang-format on */

const struct document_table partition_document = { part_roots, ARRAY_N(part_roots), part_fields,
                                                   ARRAY_N(part_fields) };
