#include "cli/lib/job_row.h"

#include "cli/lib/outcome.h"
#include "cli/lib/place.h"

uint32_t job_row_least_nodes(const void *row)
{
    const uint32_t asked = job_row_count(job_row_spec(row)->min_nodes, 1);
    const uint32_t needed = job_row_of(row)->info->least_nodes;
    const uint32_t least = asked > needed ? asked : needed;

    return least ? least : 1;
}

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
    *ret = job_row_count(job_row_spec(row)->cpus_per_task, 1);
    return true;
}

bool job_row_min_cpus(const struct report_context *ctx, const void *row, int64_t *ret)
{
    const struct job_spec *spec = job_row_spec(row);
    uint32_t tasks = job_row_count(spec->ntasks_per_node, 1);
    uint32_t needed = job_row_count(spec->cpus_per_task, 1) * (tasks ? tasks : 1);

    (void)ctx;
    *ret = job_row_count(spec->min_cpus_per_node, 0) > needed ? spec->min_cpus_per_node : needed;
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
    *ret = outcome_run_time(job_row_of(row)->job, ctx->now);
    return true;
}

bool job_row_accrue_time(const struct report_context *ctx, const void *row, int64_t *ret)
{
    const struct job_record *job = job_row_of(row)->job;

    (void)ctx;
    *ret = job->accrue_time ? job->accrue_time : job->eligible_time;
    return *ret != 0;
}

/*
 * The scheduler looks at a job when something changed for it: the start is such a moment, and so
 * is the submission of one that is held since.
 */
bool job_row_last_looked_at(const struct report_context *ctx, const void *row, int64_t *ret)
{
    const struct job_record *job = job_row_of(row)->job;

    (void)ctx;
    *ret = job->start_time ? job->start_time : job->eligible_time;
    if (!*ret)
        *ret = job->submit_time;
    return *ret != 0;
}

void job_row_nothing(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    (void)row;
    (void)out;
}
