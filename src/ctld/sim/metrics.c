#include "ctld/sim/metrics.h"

static double wait_s(const struct sim_job *job)
{
    return (double)(job->start_ms - job->submit_ms) / 1000;
}

static double slowdown(const struct sim_job *job)
{
    const double run_s = (double)(job->end_ms - job->start_ms) / 1000;
    const double bound_s = run_s > METRICS_SLOWDOWN_BOUND_S ? run_s : METRICS_SLOWDOWN_BOUND_S;
    const double slowdown = (wait_s(job) + run_s) / bound_s;

    return slowdown > 1 ? slowdown : 1;
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return x < y ? -1 : x > y;
}

static double percentile(const double *sorted, uint32_t n, uint32_t percent)
{
    const uint64_t rank = ((uint64_t)n * percent + 99) / 100;

    return sorted[rank ? rank - 1 : 0];
}

/* Returns the square root, by Newton's method: only this one would make commands load libm. */
static double square_root(double square)
{
    double root = square > 1 ? square : 1, next = (root + square / root) / 2;

    while (next < root) {
        root = next;
        next = (root + square / root) / 2;
    }
    return root;
}

/* Returns the spread of the values, none of which is negative, and sorts them. Sums are made in the
 * order of submission. */
static struct spread spread_of(double *values, uint32_t n)
{
    double sum = 0, squares = 0;

    if (n == 0)
        return (struct spread){ 0 };
    for (uint32_t i = 0; i < n; i++) {
        sum += values[i];
        squares += values[i] * values[i];
    }
    qsort(values, n, sizeof(*values), by_value);
    return (struct spread){
        .mean = sum / n,
        .median = percentile(values, n, 50),
        .p95 = percentile(values, n, 95),
        .p99 = percentile(values, n, 99),
        .max = values[n - 1],
        .rms = square_root(squares / n),
    };
}

/* The time over which there were jobs, and what they used. */
struct use {
    int64_t first_ms, last_ms;
    double proc_s;
};

static void add_use(struct use *use, const struct sim_job *job)
{
    use->proc_s += (double)job->procs * (double)(job->end_ms - job->start_ms) / 1000;
    use->first_ms = job->submit_ms < use->first_ms ? job->submit_ms : use->first_ms;
    use->last_ms = job->end_ms > use->last_ms ? job->end_ms : use->last_ms;
}

struct metrics metrics_of(const struct workload *workload,
                          bool (*has)(const void *ctx, const struct sim_job *job), const void *ctx)
{
    AUTO_FREE double *waits = xcalloc(workload->jobs_n, sizeof(*waits));
    AUTO_FREE double *slowdowns = xcalloc(workload->jobs_n, sizeof(*slowdowns));
    struct use use = { .first_ms = INT64_MAX, .last_ms = INT64_MIN };
    struct metrics metrics = { 0 };

    for (uint32_t i = 0; i < workload->jobs_n; i++) {
        const struct sim_job *job = &workload->jobs[i];

        if (has && !has(ctx, job))
            continue;
        if (job->start_ms == SIM_NEVER || job->end_ms == SIM_NEVER) {
            metrics.unstarted_n++;
            continue;
        }
        waits[metrics.jobs_n] = wait_s(job);
        slowdowns[metrics.jobs_n++] = slowdown(job);
        add_use(&use, job);
    }
    if (metrics.jobs_n == 0)
        return metrics;
    metrics.wait_s = spread_of(waits, metrics.jobs_n);
    metrics.slowdown = spread_of(slowdowns, metrics.jobs_n);
    metrics.makespan_s = (double)(use.last_ms - use.first_ms) / 1000;
    if (metrics.makespan_s > 0)
        metrics.utilisation = use.proc_s / (metrics.makespan_s * workload->procs);
    return metrics;
}

uint32_t metrics_size_class(uint32_t procs)
{
    uint32_t size_class = 0;

    for (uint64_t most = 1; most < procs; most *= 8)
        size_class++;
    return size_class;
}

void metrics_size_class_name(uint32_t size_class, struct strbuf *out)
{
    const uint64_t most = UINT64_C(1) << (3 * size_class);

    if (size_class == 0)
        strbuf_adds(out, "1");
    else
        strbuf_addf(out, "%llu-%llu", (unsigned long long)(most / 8 + 1), (unsigned long long)most);
}
