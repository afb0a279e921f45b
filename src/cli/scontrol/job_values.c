#include "cli/scontrol/job_values.h"

#include "cli/lib/outcome.h"
#include "cli/lib/place.h"

/* ---- who and how ---- */

bool show_job_array_id(const struct report_context *ctx, const void *row, int64_t *ret)
{
    (void)ctx;
    *ret = job_row_of(row)->job->array_job_id;
    return *ret != 0;
}

bool show_job_throttle(const struct report_context *ctx, const void *row, int64_t *ret)
{
    (void)ctx;
    *ret = job_row_of(row)->job->array_limit;
    return *ret != 0;
}

static void add_owner(const char *name, uint32_t id, struct strbuf *out)
{
    strbuf_adds(out, name ? name : "");
    strbuf_addc(out, '(');
    strbuf_addu(out, id);
    strbuf_addc(out, ')');
}

void show_job_user(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    const struct job_record *job = job_row_of(row)->job;

    (void)ctx;
    add_owner(job->user_name, job->uid, out);
}

void show_job_group(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    const struct job_record *job = job_row_of(row)->job;

    (void)ctx;
    add_owner(job->group_name, job->gid, out);
}

void show_job_reason(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    outcome_add_reason(job_row_of(row)->job, '_', out);
}

void show_job_exit(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    outcome_add_exit(job_row_of(row)->job->exit_status, out);
}

void show_job_derived(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    if (job_show_of(ctx)->details)
        outcome_add_exit(job_row_of(row)->job->derived_status, out);
}

/* ---- when ---- */

void show_job_scheduler(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    strbuf_adds(out, job_row_of(row)->job->flags & JOB_FLAG_BACKFILLED ? "Backfill" : "Main");
}

/* ---- where ---- */

void show_job_allocator(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    const char *host = job_row_spec(row)->submit_host;

    (void)ctx;
    strbuf_addf(out, "%s:%u", host ? host : "", job_row_spec(row)->submit_session);
}

void show_job_nodes_planned(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    if (job_row_of(row)->job->state == JOB_PENDING && job_row_of(row)->info->planned_nodes)
        strbuf_adds(out, job_row_of(row)->info->planned_nodes);
}

void show_job_node_count(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    const uint32_t least = job_least_nodes(job_row_spec(row), job_row_of(row)->info);
    const uint32_t most = count_or(job_row_spec(row)->max_nodes, 0);

    (void)ctx;
    if (job_row_of(row)->job->nodes_n)
        strbuf_addu(out, job_row_of(row)->job->nodes_n);
    else if (most)
        strbuf_addf(out, "%u-%u", least < most ? least : most, most);
    else
        strbuf_addu(out, least);
}

/* Appends boards, sockets, cores and threads of a node. */
void show_job_layout(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    const struct job_spec *spec = job_row_spec(row);

    (void)ctx;
    strbuf_adds(out, "0:0:"); /* of a board; what is asked of a node is not shown here */
    job_row_add_open(spec->cores_per_socket, out);
    strbuf_addc(out, ':');
    job_row_add_open(spec->threads_per_core, out);
}

void show_job_sockets(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    job_row_add_open(job_row_spec(row)->sockets_per_node, out);
}

void show_job_tasks_per(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    const struct job_spec *spec = job_row_spec(row);

    (void)ctx;
    strbuf_addf(out, "%u:0:", count_or(spec->ntasks_per_node, 0));
    job_row_add_open(spec->ntasks_per_socket, out);
    strbuf_addc(out, ':');
    job_row_add_open(spec->ntasks_per_core, out);
}

/* ---- what a node must have ---- */

static void add_mb(const struct report_context *ctx, uint64_t mb, struct strbuf *out)
{
    report_format_mb(mb, ctx->exact_units, out);
}

void show_job_mem_per_cpu(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    if (job_row_spec(row)->mem_per_cpu != MB_UNSET)
        add_mb(ctx, job_row_spec(row)->mem_per_cpu, out);
}

void show_job_mem_per_node(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    uint64_t mb = job_row_spec(row)->mem_per_node;

    if (job_row_spec(row)->mem_per_cpu == MB_UNSET)
        add_mb(ctx, mb == MB_UNSET ? 0 : mb, out);
}

void show_job_tmp_disk(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    uint64_t mb = job_row_spec(row)->tmp_disk;

    add_mb(ctx, mb == MB_UNSET ? 0 : mb, out);
}

bool show_job_contiguous(const struct report_context *ctx, const void *row, int64_t *ret)
{
    (void)ctx;
    *ret = job_row_spec(row)->contiguous;
    return true;
}

bool show_job_reboots(const struct report_context *ctx, const void *row, int64_t *ret)
{
    (void)ctx;
    *ret = job_row_spec(row)->reboot;
    return true;
}

/* ---- what else is asked about placement ---- */

void show_job_core_spec(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    if (job_row_spec(row)->thread_spec == COUNT_UNSET)
        job_row_add_open(job_row_spec(row)->core_spec, out);
}

void show_job_switches(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    place_add_switches(job_row_spec(row), out);
}

void show_job_binding(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    if (job_row_spec(row)->gres_flags)
        strbuf_adds(out, job_row_spec(row)->gres_flags & GRES_FLAG_ENFORCE_BINDING ? "Yes" : "No");
}

void show_job_kill_invalid(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    const uint32_t asked = job_row_spec(row)->kill_invalid_dep;

    (void)ctx;
    if (asked != KILL_INVALID_DEFAULT)
        strbuf_adds(out, asked == KILL_INVALID_YES ? "Yes" : "No");
}

void show_job_spread(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    if (job_row_spec(row)->spread_job)
        strbuf_adds(out, "Yes");
}

/* Appends the mail user; who gave no address is one of MailDomain. */
void show_job_mail_user(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    const char *domain = job_show_of(ctx)->mail_domain;
    const char *user = job_row_spec(row)->mail_user;

    if (!job_row_spec(row)->mail_type)
        return;
    strbuf_adds(out, user ? user : job_row_of(row)->job->user_name);
    if (!user && domain)
        strbuf_addf(out, "@%s", domain);
}
