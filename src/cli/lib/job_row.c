#include "cli/lib/job_row.h"

#include "cli/lib/outcome.h"
#include "cli/lib/place.h"

void job_row_tasks(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    job_tasks_format(job_row_of(row)->job, ctx->tasks_length, out);
}

void job_row_state(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    const struct job_record *job = job_row_of(row)->job;

    (void)ctx;
    strbuf_adds(out, job_state_name(job->state, job->flags));
}

void job_row_dependency(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    job_dependencies_format(job_row_of(row)->job, out);
}

void job_row_share(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    strbuf_adds(out, job_share_name(job_row_spec(row)->share));
}

void job_row_partition(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    if (job_row_of(row)->partition)
        strbuf_adds(out, job_row_of(row)->partition);
    else
        place_add_partition(job_row_of(row)->job, out);
}

void job_row_cpus_per_gpu(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    place_add_cpus_per_gpu(job_row_spec(row)->cpus_per_gpu, out);
}

void job_row_mem_per_gpu(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    place_add_mem_per_gpu(job_row_spec(row)->mem_per_gpu, out);
}

void job_row_gpu_bind(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    place_add_gpu_bind(job_row_spec(row)->gpu_bind, out);
}

void job_row_gpu_freq(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    place_add_gpu_freq(job_row_spec(row)->gpu_freq, out);
}

void job_row_tres_per_task(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    place_add_tres_per_task(job_row_spec(row)->tres_per_task, out);
}

void job_row_licenses_held(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    const struct job_record *job = job_row_of(row)->job;

    (void)ctx;
    if (job->state == JOB_RUNNING || job->state == JOB_SUSPENDED)
        strbuf_adds(out, job->spec->licenses ? job->spec->licenses : "");
}

bool job_row_cpus_per_task(const struct report_context *ctx, const void *row, int64_t *ret)
{
    (void)ctx;
    *ret = job_cpus_per_task(job_row_spec(row));
    return true;
}

bool job_row_min_cpus(const struct report_context *ctx, const void *row, int64_t *ret)
{
    (void)ctx;
    *ret = job_least_cpus_of_node(job_row_spec(row));
    return true;
}

bool job_row_is_batch(const struct report_context *ctx, const void *row, int64_t *ret)
{
    (void)ctx;
    *ret = job_row_spec(row)->kind == JOB_KIND_BATCH ? 1 + job_row_of(row)->job->lost_launches : 0;
    return true;
}

bool job_row_requeues(const struct report_context *ctx, const void *row, int64_t *ret)
{
    (void)ctx;
    *ret = job_row_spec(row)->requeue != REQUEUE_NO;
    return true;
}

bool job_row_run_time(const struct report_context *ctx, const void *row, int64_t *ret)
{
    *ret = job_run_time(job_row_of(row)->job, ctx->now);
    return true;
}

bool job_row_accrue_time(const struct report_context *ctx, const void *row, int64_t *ret)
{
    (void)ctx;
    *ret = job_accrues_from(job_row_of(row)->job);
    return *ret != 0;
}

bool job_row_last_looked_at(const struct report_context *ctx, const void *row, int64_t *ret)
{
    (void)ctx;
    *ret = job_looked_at(job_row_of(row)->job);
    return *ret != 0;
}

bool job_row_start_time(const struct report_context *ctx, const void *row, int64_t *ret)
{
    (void)ctx;
    *ret = job_start_planned(job_row_of(row)->job, job_row_of(row)->info);
    return *ret != 0;
}

bool job_row_end_time(const struct report_context *ctx, const void *row, int64_t *ret)
{
    const struct job_record *job = job_row_of(row)->job;

    (void)ctx;
    *ret = job_end_from(job, job_start_planned(job, job_row_of(row)->info));
    return *ret != 0;
}

void job_row_batch_host(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    const char *host = job_batch_host(job_row_of(row)->job);

    (void)ctx;
    strbuf_adds(out, host ? host : "");
}

void job_row_tres_requested(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    AUTO(tres) struct tres tres = tres_requested(job_row_of(row)->job);

    tres_format(&tres, ctx->counted, out);
}

void job_row_tres_allocated(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    AUTO(tres) struct tres tres = tres_allocated(job_row_of(row)->job);

    tres_format(&tres, ctx->counted, out);
}

void job_row_command(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    outcome_add_command(job_row_body(row), out);
}

void job_row_std_in(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    const struct job_record *job = job_row_of(row)->job;
    const struct job_body *body = job_row_body(row);

    (void)ctx;
    outcome_add_stream(job, body, job_std_in(body), out);
}

void job_row_std_out(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    const struct job_record *job = job_row_of(row)->job;
    const struct job_body *body = job_row_body(row);

    (void)ctx;
    outcome_add_stream(job, body, job_std_out(job, body), out);
}

void job_row_std_err(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    const struct job_record *job = job_row_of(row)->job;
    const struct job_body *body = job_row_body(row);

    (void)ctx;
    outcome_add_stream(job, body, job_std_err(job, body), out);
}

void job_row_cluster(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    strbuf_adds(out, job_row_of(row)->cluster);
}

void job_row_add_open(uint32_t count, struct strbuf *out)
{
    if (count_is_number(count))
        strbuf_addu(out, count);
    else
        strbuf_addc(out, '*');
}

void job_row_nothing(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    (void)row;
    (void)out;
}
