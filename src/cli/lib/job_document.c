#include "cli/lib/job_document.h"

#include "cli/lib/document_fields.h"
#include "cli/lib/select_document.h"
#include "common/msg/types.h"

/* ---- how it went ---- */

static void make_states(const struct report_context *ctx, const void *row, struct json_writer *json,
                        const char *key)
{
    const struct job_record *job = job_row_of(row)->job;

    (void)ctx;
    json_open_array(json, key);
    json_add_text(json, NULL, job_state_name(job->state, 0));
    if (job->flags & JOB_FLAG_COMPLETING)
        json_add_text(json, NULL, "COMPLETING");
    if (job->flags & JOB_FLAG_CONFIGURING)
        json_add_text(json, NULL, "CONFIGURING");
    if (job->flags & JOB_FLAG_SPECIAL_EXIT)
        json_add_text(json, NULL, "SPECIAL_EXIT");
    json_close(json);
}

static void make_exit(const struct report_context *ctx, const void *row, struct json_writer *json,
                      const char *key)
{
    (void)ctx;
    document_exit(json, key, job_row_of(row)->job->state == JOB_PENDING,
                  job_row_of(row)->job->exit_status);
}

static void make_derived(const struct report_context *ctx, const void *row,
                         struct json_writer *json, const char *key)
{
    (void)ctx;
    document_exit(json, key, job_row_of(row)->job->state == JOB_PENDING,
                  job_row_of(row)->job->derived_status);
}

static void make_reason(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    strbuf_adds(out, job_reason_name(job_row_of(row)->job->reason));
}

static bool held(const struct report_context *ctx, const void *row, int64_t *ret)
{
    (void)ctx;
    *ret = job_waits_held(job_row_of(row)->job);
    return true;
}

/* ---- where ---- */

static bool node_count(const struct report_context *ctx, const void *row, int64_t *ret)
{
    const uint32_t held_n = job_row_of(row)->job->nodes_n;

    (void)ctx;
    *ret = held_n ? held_n : job_least_nodes(job_row_spec(row), job_row_of(row)->info);
    return true;
}

static void make_gres(const struct report_context *ctx, const void *row, struct json_writer *json,
                      const char *key)
{
    const struct job_record *job = job_row_of(row)->job;

    (void)ctx;
    json_open_array(json, key);
    for (uint32_t i = 0; i < job->nodes_n; i++) {
        AUTO(strbuf) struct strbuf text = { 0 };

        job_node_gres(&job->nodes[i], &text);
        if (text.len)
            json_add_text(json, NULL, strbuf_text(&text));
    }
    json_close(json);
}

static void add_allocation(struct json_writer *json, const struct job_node *node, uint32_t index)
{
    json_open_object(json, NULL);
    json_add_int(json, "index", index);
    json_add_text(json, "name", node->name);
    json_open_object(json, "cpus");
    json_add_int(json, "count", node->cpus_n);
    json_add_int(json, "used", node->cpus_n);
    json_close(json);
    json_open_object(json, "memory");
    json_add_int(json, "used", 0);
    json_add_int(json, "allocated", (int64_t)job_node_memory(node));
    json_close(json);
    document_word(json, "sockets", NULL);
    json_close(json);
}

static void add_nodes(struct json_writer *json, const struct job_record *job)
{
    json_open_object(json, "nodes");
    json_add_int(json, "count", job->nodes_n);
    document_word(json, "select_type", "AVAILABLE");
    json_add_text(json, "list", job->node_list);
    json_add_bool(json, "whole", job->spec->share == SHARE_EXCLUSIVE);
    json_open_array(json, "allocation");
    for (uint32_t i = 0; i < job->nodes_n; i++)
        add_allocation(json, &job->nodes[i], i);
    json_close(json);
    json_close(json);
}

/* Writes the job's resources; null while it has none. */
static void make_resources(const struct report_context *ctx, const void *row,
                           struct json_writer *json, const char *key)
{
    const struct job_record *job = job_row_of(row)->job;
    const uint32_t threads = job->spec->threads_per_core;

    (void)ctx;
    if (!job->nodes_n || job->state == JOB_PENDING) {
        json_add_null(json, key);
        return;
    }
    json_open_object(json, key);
    document_select(json, "select_type", job_row_of(row)->info->select);
    add_nodes(json, job);
    json_add_int(json, "cpus", job->ncpus);
    document_number(json, "threads_per_core", threads != COUNT_UNSET, false, threads);
    json_close(json);
}

/* ---- what it asked for ---- */

static void make_shared(const struct report_context *ctx, const void *row, struct json_writer *json,
                        const char *key)
{
    static const char *const words[] = {
        [SHARE_EXCLUSIVE] = "none", [SHARE_USER] = "user", [SHARE_OVERSUBSCRIBE] = "oversubscribe"
    };
    const uint32_t share = job_row_spec(row)->share;

    (void)ctx;
    document_word(json, key, share < ARRAY_N(words) ? words[share] : NULL);
}

static void make_flags(const struct report_context *ctx, const void *row, struct json_writer *json,
                       const char *key)
{
    const struct job_record *job = job_row_of(row)->job;
    const struct job_spec *spec = job->spec;
    const struct {
        bool is_set;
        const char *word;
    } flags[] = {
        { spec->kill_invalid_dep == KILL_INVALID_YES, "KILL_INVALID_DEPENDENCY" },
        { spec->kill_invalid_dep == KILL_INVALID_NO, "NO_KILL_INVALID_DEPENDENCY" },
        { spec->gres_flags & GRES_FLAG_ENFORCE_BINDING, "GRES_BINDING_ENFORCED" },
        { spec->spread_job, "SPREAD_JOB" },
        { spec->use_min_nodes, "PREFER_MINIMUM_NODE_COUNT" },
        { spec->gres_flags & GRES_FLAG_DISABLE_BINDING, "GRES_BINDING_DISABLED" },
        { !spec->partition, "USING_DEFAULT_PARTITION" },
        { job->state == JOB_PENDING && job->dependencies_n > 0, "DEPENDENT" },
    };

    (void)ctx;
    json_open_array(json, key);
    for (size_t i = 0; i < ARRAY_N(flags); i++) {
        if (flags[i].is_set)
            json_add_text(json, NULL, flags[i].word);
    }
    json_close(json);
}

static bool billable(const struct report_context *ctx, const void *row, int64_t *ret)
{
    AUTO(tres) struct tres tres = job_tres(job_row_of(row)->job);

    (void)ctx;
    *ret = (int64_t)tres.billing;
    return true;
}

/* ---- the record ---- */

static const struct report_root roots[] = {
    { "job", job_record_schema, offsetof(struct job_row, job) },
    { "info", job_info_schema, offsetof(struct job_row, info) },
};

/* clang-format off */
static const struct document_field fields[] = {
    TEXT("account", .path = "job.spec.account"),
    NUMBER("accrue_time", .number = job_row_accrue_time, .kind = KIND_TIME),
    TEXT("admin_comment", .path = "job.spec.admin_comment"),
    TEXT("allocating_node", .path = "job.spec.submit_host"),
    NUMBER("array_job_id", .path = "job.array_job_id"),
    NUMBER("array_task_id", .path = "job.array_task"),
    NUMBER("array_max_tasks", .path = "job.array_limit"),
    TEXT("array_task_string", .path = "job.array_tasks"),
    ZERO("association_id"),
    NO_TEXT("batch_features"),
    BOOL("batch_flag", .number = job_row_is_batch),
    TEXT("batch_host", .make = job_row_batch_host),
    MADE("flags", make_flags),
    NO_TEXT("burst_buffer"),
    NO_TEXT("burst_buffer_state"),
    TEXT("cluster", .make = job_row_cluster),
    NO_TEXT("cluster_features"),
    TEXT("command", .make = job_row_command),
    TEXT("comment", .path = "job.spec.comment"),
    NO_TEXT("container"),
    NO_TEXT("container_id"),
    BOOL("contiguous", .path = "job.spec.contiguous"),
    PLAIN("core_spec", .path = "job.spec.core_spec"),
    PLAIN("thread_spec", .path = "job.spec.thread_spec"),
    NUMBER("cores_per_socket", .path = "job.spec.cores_per_socket"),
    NUMBER("billable_tres", .number = billable, .kind = KIND_U32),
    NUMBER("cpus_per_task", .path = "job.spec.cpus_per_task"),
    NO_NUMBER("cpu_frequency_minimum"),
    NO_NUMBER("cpu_frequency_maximum"),
    NO_NUMBER("cpu_frequency_governor"),
    TEXT("cpus_per_tres", .make = job_row_cpus_per_gpu),
    NO_TEXT("cron"),
    NUMBER("deadline", .path = "job.spec.deadline"),
    NUMBER("delay_boot", .kind = KIND_TIME),
    TEXT("dependency", .make = job_row_dependency),
    MADE("derived_exit_code", make_derived),
    NUMBER("eligible_time", .path = "job.eligible_time"),
    NUMBER("end_time", .number = job_row_end_time, .kind = KIND_TIME),
    TEXT("excluded_nodes", .path = "job.spec.exc_nodes"),
    MADE("exit_code", make_exit),
    TEXT("extra", .path = "job.spec.extra"),
    NO_TEXT("failed_node"),
    TEXT("features", .path = "job.spec.features"),
    NO_TEXT("federation_origin"),
    NO_TEXT("federation_siblings_active"),
    NO_TEXT("federation_siblings_viable"),
    MADE("gres_detail", make_gres),
    PLAIN("group_id", .path = "job.gid"),
    TEXT("group_name", .path = "job.group_name"),
    NUMBER("het_job_id", .kind = KIND_TIME),
    NO_TEXT("het_job_id_set"),
    NUMBER("het_job_offset", .kind = KIND_TIME),
    PLAIN("job_id", .path = "job.id"),
    MADE("job_resources", make_resources),
    NO_WORDS("job_size_str"),
    MADE("job_state", make_states),
    NUMBER("last_sched_evaluation", .number = job_row_last_looked_at, .kind = KIND_TIME),
    TEXT("licenses", .path = "job.spec.licenses"),
    TEXT("licenses_allocated", .make = job_row_licenses_held),
    WORDS("mail_type", .path = "job.spec.mail_type"),
    TEXT("mail_user", .path = "job.spec.mail_user"),
    NUMBER("max_cpus", .kind = KIND_TIME),
    NUMBER("max_nodes", .path = "job.spec.max_nodes"),
    NO_TEXT("mcs_label"),
    TEXT("memory_per_tres", .make = job_row_mem_per_gpu),
    TEXT("name", .path = "job.spec.name"),
    NO_TEXT("network"),
    TEXT("nodes", .path = "job.node_list"),
    PLAIN("nice", .path = "job.spec.nice"),
    NUMBER("tasks_per_core", .path = "job.spec.ntasks_per_core"),
    NUMBER("tasks_per_tres", .path = "job.spec.ntasks_per_gpu"),
    NUMBER("tasks_per_node", .path = "job.spec.ntasks_per_node"),
    NUMBER("tasks_per_socket", .path = "job.spec.ntasks_per_socket"),
    NUMBER("tasks_per_board", .kind = KIND_TIME),
    NUMBER("cpus", .path = "job.ncpus"),
    NUMBER("node_count", .number = node_count, .kind = KIND_U32),
    NUMBER("tasks", .path = "job.ntasks"),
    TEXT("partition", .make = job_row_partition),
    TEXT("prefer", .path = "job.spec.prefer"),
    NUMBER("memory_per_cpu", .path = "job.spec.mem_per_cpu"),
    NUMBER("memory_per_node", .path = "job.spec.mem_per_node"),
    NUMBER("minimum_cpus_per_node", .number = job_row_min_cpus, .kind = KIND_U32),
    NUMBER("minimum_tmp_disk_per_node", .path = "job.spec.tmp_disk"),
    NO_WORDS("power.flags"),
    NEVER("preempt_time"),
    NEVER("preemptable_time"),
    NUMBER("pre_sus_time", .path = "job.pre_suspend_s"),
    BOOL("hold", .number = held),
    NUMBER("priority", .path = "job.priority"),
    NO_WORDS("priority_by_partition"),
    NO_WORDS("profile"),
    TEXT("qos", .path = "job.spec.qos"),
    BOOL("reboot", .path = "job.spec.reboot"),
    TEXT("required_nodes", .path = "job.spec.req_nodes"),
    PLAIN("required_switches", .path = "job.spec.switches"),
    BOOL("requeue", .number = job_row_requeues),
    NUMBER("resize_time", .path = "job.resize_time"),
    PLAIN("restart_cnt", .path = "job.restarts"),
    TEXT("resv_name", .path = "job.spec.reservation"),
    TEXT("scheduled_nodes", .path = "info.planned_nodes"),
    NO_TEXT("selinux_context"),
    ZERO("segment_size"),
    MADE("shared", make_shared),
    ZERO("sockets_per_board"),
    NUMBER("sockets_per_node", .path = "job.spec.sockets_per_node"),
    NUMBER("start_time", .number = job_row_start_time, .kind = KIND_TIME),
    TEXT("state_description", .path = "job.reason_text"),
    TEXT("state_reason", .make = make_reason),
    TEXT("standard_error", .path = "info.body.std_err"),
    TEXT("standard_input", .path = "info.body.std_in"),
    TEXT("standard_output", .path = "info.body.std_out"),
    TEXT("stderr_expanded", .make = job_row_std_err),
    TEXT("stdin_expanded", .make = job_row_std_in),
    TEXT("stdout_expanded", .make = job_row_std_out),
    NUMBER("submit_time", .path = "job.submit_time"),
    NUMBER("suspend_time", .path = "job.suspend_time"),
    TEXT("system_comment", .path = "job.system_comment"),
    MINUTES("time_limit", .path = "job.spec.time_limit"),
    MINUTES("time_minimum", .path = "job.spec.time_min"),
    NUMBER("threads_per_core", .path = "job.spec.threads_per_core"),
    TEXT("tres_bind", .make = job_row_gpu_bind),
    TEXT("tres_freq", .make = job_row_gpu_freq),
    TEXT("tres_per_job", .path = "job.spec.tres_per_job"),
    TEXT("tres_per_node", .path = "job.spec.tres_per_node"),
    TEXT("tres_per_socket", .path = "job.spec.tres_per_socket"),
    TEXT("tres_per_task", .make = job_row_tres_per_task),
    TEXT("tres_req_str", .make = job_row_tres_requested),
    TEXT("tres_alloc_str", .make = job_row_tres_allocated),
    PLAIN("user_id", .path = "job.uid"),
    TEXT("user_name", .path = "job.user_name"),
    PLAIN("maximum_switch_wait_time", .path = "job.spec.switch_wait_s"),
    TEXT("wckey", .path = "job.spec.wckey"),
    TEXT("current_working_directory", .path = "info.body.work_dir"),
};
/* clang-format on */

const struct document_table job_document = { roots, ARRAY_N(roots), fields, ARRAY_N(fields) };

void job_document_end(struct document *document, int64_t updated)
{
    struct client *client = document->command->cli.client;
    AUTO(diag) struct diag diag;

    diag_init(&diag);
    if (client)
        (void)client_call(client, MSG_DIAG_GET, NULL, MSG_DIAG, &diag, NULL);
    json_close(&document->json);
    document_number(&document->json, "last_backfill", true, false, diag.cycle_last_at);
    document_number(&document->json, "last_update", true, false, updated);
    document_end(document);
}
