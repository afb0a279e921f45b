#include "cli/sacct/times.h"

#include "cli/lib/job_facts.h"
#include "cli/lib/step_facts.h"
#include "common/text/duration.h"

void times_make_start(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    const struct step_record *step = acct_step(row);
    const int64_t start = step ? step->start_time : job_started(acct_job(row));

    if (start)
        report_format_number(KIND_TIME, start, 0, ctx, out);
    else
        strbuf_adds(out, !step && job_never_began(acct_job(row)) ? "None" : "Unknown");
}

bool times_end_time(const struct report_context *ctx, const void *row, int64_t *ret)
{
    (void)ctx;
    *ret = acct_step(row) ? acct_step(row)->end_time : job_ended(acct_job(row));
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
    *ret = acct_step(row) ? step_run_time(acct_step(row), ctx->now)
                          : job_run_time(acct_job(row), ctx->now);
    return true;
}

bool times_cpus(const struct report_context *ctx, const void *row, int64_t *ret)
{
    (void)ctx;
    *ret = acct_step(row) ? acct_step(row)->ncpus : acct_job(row)->ncpus;
    return true;
}

/* What is more than a number holds is told as the greatest one. */
static int64_t product(int64_t seconds, int64_t count)
{
    int64_t ret;

    return __builtin_mul_overflow(seconds, count, &ret) ? INT64_MAX : ret;
}

bool times_cpu_time(const struct report_context *ctx, const void *row, int64_t *ret)
{
    int64_t seconds, count;

    times_elapsed(ctx, row, &seconds);
    times_cpus(ctx, row, &count);
    *ret = product(seconds, count);
    return true;
}

bool times_waited(const struct report_context *ctx, const void *row, int64_t *ret)
{
    if (acct_step(row))
        return false;
    *ret = job_waited(acct_job(row), ctx->now);
    return true;
}

bool times_waited_cpus(const struct report_context *ctx, const void *row, int64_t *ret)
{
    if (!times_waited(ctx, row, ret))
        return false;
    *ret = product(*ret, acct_job(row)->ncpus);
    return true;
}

static void add_minutes(int64_t limit, struct strbuf *out)
{
    strbuf_addi(out, duration_minutes(limit));
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

/* Returns how long a step was suspended: it stands still with its job, which tells it. */
bool times_suspended(const struct report_context *ctx, const void *row, int64_t *ret)
{
    *ret = acct_step(row) ? 0 : job_suspended_time(acct_job(row), ctx->now);
    return true;
}
