#include "cli/squeue/job_values.h"

#include <inttypes.h>

#include "cli/lib/outcome.h"

#define PRIORITY_ONE 4294967295.0 /* shown as 1.0 */

/* ---- times ---- */

int64_t queue_start_time(const struct report_context *ctx, const struct job_row *row)
{
    return job_start_expected(row->job, row->info, ctx->now);
}

bool queue_starts(const struct report_context *ctx, const void *row, int64_t *ret)
{
    *ret = queue_start_time(ctx, row);
    return *ret != 0;
}

bool queue_ends(const struct report_context *ctx, const void *row, int64_t *ret)
{
    *ret = job_end_from(job_row_of(row)->job, queue_start_time(ctx, row));
    return *ret != 0;
}

/* A job without a limit has no end to expect, which is not the same as an end not known. */
void queue_end_or_none(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    int64_t end;

    if (queue_ends(ctx, row, &end))
        report_format_number(KIND_TIME, end, 0, ctx, out);
    else if (queue_start_time(ctx, row))
        strbuf_adds(out, "NONE");
}

bool queue_time_left(const struct report_context *ctx, const void *row, int64_t *ret)
{
    *ret = job_time_left(job_row_of(row)->job, ctx->now);
    return *ret != LIMIT_UNSET;
}

bool queue_time_pending(const struct report_context *ctx, const void *row, int64_t *ret)
{
    *ret = job_pending_time(job_row_of(row)->job, ctx->now);
    return true;
}

/* ---- where ---- */

void queue_nodes(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    AUTO_FREE char *nodes = job_busy_nodes(job_row_of(row)->job);

    (void)ctx;
    strbuf_adds(out, nodes);
}

/*
 * Returns the most of a range, unless the job is held: nobody has looked at such a job, as in
 * Slurm.
 */
static uint32_t nodes_awaited(const void *row)
{
    const struct job_spec *spec = job_row_spec(row);
    const uint32_t least = job_least_nodes(spec, job_row_of(row)->info);
    const uint32_t most = count_or(spec->max_nodes, 0);

    return most > least && job_row_of(row)->job->priority != 0 ? most : least;
}

bool queue_nodes_n(const struct report_context *ctx, const void *row, int64_t *ret)
{
    const struct job_record *job = job_row_of(row)->job;

    (void)ctx;
    *ret = job->nodes_n ? job_busy_nodes_n(job) : nodes_awaited(row);
    return true;
}

bool queue_nodes_max(const struct report_context *ctx, const void *row, int64_t *ret)
{
    const uint32_t most = count_or(job_row_spec(row)->max_nodes, 0);

    if (!most)
        return queue_nodes_n(ctx, row, ret);
    *ret = most;
    return true;
}

/* Appends the batch host; as in Slurm, a job without a script is where its client is. */
void queue_batch_host(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    const struct job_record *job = job_row_of(row)->job;

    if (job->spec->kind == JOB_KIND_BATCH)
        job_row_batch_host(ctx, row, out);
    else
        strbuf_adds(out, job->spec->submit_host ? job->spec->submit_host : "");
}

/* ---- state ---- */

void queue_state_code(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    strbuf_adds(out, job_state_code(job_row_of(row)->job->state, job_row_of(row)->job->flags));
}

void queue_reason(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    if (job_row_of(row)->reasons)
        strbuf_adds(out, job_row_of(row)->reasons);
    else
        outcome_add_reason(job_row_of(row)->job, ' ', out);
}

void queue_name(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    job_name_format(job_row_of(row)->job, ctx->tasks_length, out);
}

bool queue_array_id(const struct report_context *ctx, const void *row, int64_t *ret)
{
    (void)ctx;
    *ret = job_array_id(job_row_of(row)->job);
    return true;
}

/* Appends the reason where the nodes are not what one wants to know, else the nodes. */
void queue_reason_or_nodes(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    const struct job_record *job = job_row_of(row)->job;

    switch (job_is_completing(job) ? JOB_RUNNING : job->state) {
    case JOB_PENDING:
    case JOB_FAILED:
    case JOB_TIMEOUT:
    case JOB_DEADLINE:
    case JOB_OOM:
        strbuf_addc(out, '(');
        queue_reason(ctx, row, out);
        strbuf_addc(out, ')');
        break;
    default:
        queue_nodes(ctx, row, out);
    }
}

/* ---- what was asked ---- */

bool queue_min_memory(const struct report_context *ctx, const void *row, int64_t *ret)
{
    const struct job_spec *spec = job_row_spec(row);

    (void)ctx;
    *ret = 0;
    if (spec->mem_per_cpu != MB_UNSET)
        *ret = (int64_t)spec->mem_per_cpu;
    else if (spec->mem_per_node != MB_UNSET)
        *ret = (int64_t)spec->mem_per_node;
    return true;
}

void queue_sct(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    job_row_add_open(job_row_spec(row)->sockets_per_node, out);
    strbuf_addc(out, ':');
    job_row_add_open(job_row_spec(row)->cores_per_socket, out);
    strbuf_addc(out, ':');
    job_row_add_open(job_row_spec(row)->threads_per_core, out);
}

/* Appends the command; only a script has a path, --wrap and salloc have none. */
void queue_command(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    const char *command = job_row_body(row)->command;

    (void)ctx;
    if (command && command[0] == '/')
        outcome_add_command(job_row_body(row), out);
}

bool queue_priority(const struct report_context *ctx, const void *row, int64_t *ret)
{
    (void)ctx;
    *ret = (int64_t)job_row_of(row)->job->priority;
    return true;
}

void queue_priority_share(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    strbuf_addf(out, "%.14f", (double)job_row_of(row)->job->priority / PRIORITY_ONE);
}

/* Appends a path as the job will see it; patterns stay patterns. */
static void add_path(const struct job_body *body, const char *path, struct strbuf *out)
{
    if (path[0] != '/' && body->work_dir)
        strbuf_addf(out, "%s/", body->work_dir);
    strbuf_adds(out, path);
}

void queue_stdin(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    add_path(job_row_body(row), job_std_in(job_row_body(row)), out);
}

void queue_stdout(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    const struct job_record *job = job_row_of(row)->job;
    const struct job_body *body = job_row_body(row);

    (void)ctx;
    if (!body->std_out && job->array_job_id && job->array_task == COUNT_UNSET)
        add_path(body, job_usual_output(job), out); /* each task has its own */
    else if (body->std_out)
        add_path(body, body->std_out, out);
    else
        outcome_add_path(job, body, job_usual_output(job), out);
}

void queue_stderr(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    if (job_row_body(row)->std_err)
        add_path(job_row_body(row), job_row_body(row)->std_err, out);
    else
        queue_stdout(ctx, row, out);
}

void queue_tres(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    AUTO(tres) struct tres tres = job_tres(job_row_of(row)->job);

    tres_format(&tres, ctx->counted, out);
}

bool queue_switch_wait(const struct report_context *ctx, const void *row, int64_t *ret)
{
    (void)ctx;
    *ret = count_or(job_row_spec(row)->switch_wait_s, 0);
    return true;
}

bool queue_zero(const struct report_context *ctx, const void *row, int64_t *ret)
{
    (void)ctx;
    (void)row;
    *ret = 0;
    return true;
}

void queue_core_spec(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    if (count_is_number(job_row_spec(row)->thread_spec))
        strbuf_addf(out, "%" PRIu32 " Threads", job_row_spec(row)->thread_spec);
    else if (count_is_number(job_row_spec(row)->core_spec))
        strbuf_addf(out, "%" PRIu32, job_row_spec(row)->core_spec);
}

/* Orders tasks by number, those that wait together behind the others. */
bool queue_name_order(const struct report_context *ctx, const void *row, int64_t *ret)
{
    queue_array_id(ctx, row, ret);
    *ret = (*ret << 32) + job_row_of(row)->job->array_task;
    return true;
}
