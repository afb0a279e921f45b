#include "cli/sacct/times.h"

#include <inttypes.h>

#include "cli/lib/outcome.h"

/* A job that waits again has the start of its last run still. */
bool times_start_time(const struct report_context *ctx, const void *row, int64_t *ret)
{
    const struct job_record *job = acct_job(row);

    (void)ctx;
    if (acct_step(row))
        *ret = acct_step(row)->start_time;
    else
        *ret = job->state == JOB_PENDING ? 0 : job->start_time;
    return *ret != 0;
}

/* Of a running job the record holds when it will be ended at the latest; that is no end yet. */
bool times_end_time(const struct report_context *ctx, const void *row, int64_t *ret)
{
    (void)ctx;
    if (acct_step(row))
        *ret = acct_step(row)->end_time;
    else
        *ret = job_state_is_over(acct_job(row)->state) ? acct_job(row)->end_time : 0;
    return *ret != 0;
}

bool times_submit_time(const struct report_context *ctx, const void *row, int64_t *ret)
{
    (void)ctx;
    *ret = acct_step(row) ? acct_step(row)->start_time : acct_job(row)->submit_time;
    return *ret != 0;
}

bool times_eligible_time(const struct report_context *ctx, const void *row, int64_t *ret)
{
    (void)ctx;
    *ret = acct_step(row) ? acct_step(row)->start_time : acct_job(row)->eligible_time;
    return *ret != 0;
}

bool times_elapsed(const struct report_context *ctx, const void *row, int64_t *ret)
{
    const struct step_record *step = acct_step(row);
    int64_t until;

    if (!step) {
        *ret = outcome_run_time(acct_job(row), ctx->now);
        return true;
    }
    until = step->end_time ? step->end_time : ctx->now;
    *ret = step->start_time && until > step->start_time ? until - step->start_time : 0;
    return true;
}

bool times_cpus(const struct report_context *ctx, const void *row, int64_t *ret)
{
    (void)ctx;
    *ret = acct_step(row) ? acct_step(row)->ncpus : acct_job(row)->ncpus;
    return true;
}

bool times_cpu_time(const struct report_context *ctx, const void *row, int64_t *ret)
{
    int64_t seconds, count;

    times_elapsed(ctx, row, &seconds);
    times_cpus(ctx, row, &count);
    *ret = seconds * count;
    return true;
}

/* From being eligible to the start: how long the job waited. */
bool times_waited(const struct report_context *ctx, const void *row, int64_t *ret)
{
    const struct job_record *job = acct_job(row);
    int64_t until = ctx->now;

    if (acct_step(row))
        return false;
    if (job->start_time)
        until = job->start_time;
    else if (job_state_is_over(job->state))
        until = job->end_time;
    *ret = job->eligible_time && until > job->eligible_time ? until - job->eligible_time : 0;
    return true;
}

bool times_waited_cpus(const struct report_context *ctx, const void *row, int64_t *ret)
{
    if (!times_waited(ctx, row, ret))
        return false;
    *ret *= acct_job(row)->ncpus;
    return true;
}

static void add_minutes(int64_t limit, struct strbuf *out)
{
    strbuf_addf(out, "%" PRId64, (limit + 59) / 60);
}

void times_make_limit(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    int64_t limit = acct_job(row)->spec->time_limit;

    if (acct_step(row))
        return;
    if (limit == LIMIT_UNSET)
        strbuf_adds(out, "Partition_Limit");
    else if (limit >= 0 && acct_is_logged(ctx)) /* as it stands in the file */
        add_minutes(limit, out);
    else
        report_format_number(KIND_LIMIT, limit, REPORT_LONG, ctx, out);
}

void times_make_limit_raw(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    int64_t limit = acct_job(row)->spec->time_limit;

    if (!acct_step(row) && limit >= 0)
        add_minutes(limit, out);
    else
        times_make_limit(ctx, row, out);
}

/* Steps stand still with their job, which tells it. */
bool times_suspended(const struct report_context *ctx, const void *row, int64_t *ret)
{
    *ret = acct_step(row) ? 0 : outcome_suspended_time(acct_job(row), ctx->now);
    return true;
}
