#include "cli/sim/report.h"

#include "cli/sim/groups.h"
#include "cli/sim/table.h"

/* ---- the table ---- */

static const char *const heads[] = { "jobs", "used", "wait",   "median", "p95", "p99",
                                     "max",  "slow", "median", "p95",    "p99", "max" };

static void add_spread(struct table *table, const struct spread *spread, int digits)
{
    table_add(table, "%.*f", digits, spread->mean);
    table_add(table, "%.*f", digits, spread->median);
    table_add(table, "%.*f", digits, spread->p95);
    table_add(table, "%.*f", digits, spread->p99);
    table_add(table, "%.*f", digits, spread->max);
}

static void add_row(struct table *table, const struct group *group, const struct report_run *run)
{
    const struct metrics metrics = group_metrics(group, run->workload);

    table_add(table, "%s", group->name);
    table_add(table, "%s", run->title);
    table_add(table, "%u", metrics.jobs_n);
    table_add(table, "%.1f %%", metrics.utilisation * 100);
    add_spread(table, &metrics.wait_s, 0);
    add_spread(table, &metrics.slowdown, 2);
}

static void add_dropped(const struct workload *workload, struct strbuf *out)
{
    const struct workload_dropped *dropped = &workload->dropped;
    const struct {
        uint32_t n;
        const char *why;
    } rows[] = {
        { dropped->no_submit, "no submit time" },        { dropped->no_run, "no run time" },
        { dropped->no_request, "no requested time" },    { dropped->no_size, "no size" },
        { dropped->too_wide, "wider than the machine" },
    };
    const char *between = ": ";

    if (workload_dropped_n(dropped) == 0)
        return;
    strbuf_addf(out, "%u jobs of the trace left out", workload_dropped_n(dropped));
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        if (rows[i].n == 0)
            continue;
        strbuf_addf(out, "%s%u with %s", between, rows[i].n, rows[i].why);
        between = ", ";
    }
    strbuf_addc(out, '\n');
}

static void add_whole(const struct report_run *run, struct strbuf *out)
{
    const struct metrics all = metrics_of(run->workload, NULL, NULL);

    strbuf_addf(out, "%s: utilisation %.2f %%, makespan %.0f s, mean bounded slowdown %.6g", //
                run->title, all.utilisation * 100, all.makespan_s, all.slowdown.mean);
    if (all.unstarted_n)
        strbuf_addf(out, ", %u jobs never ran", all.unstarted_n);
    strbuf_addc(out, '\n');
}

void report_table(const char *trace, const struct report_run *runs, uint32_t runs_n,
                  struct strbuf *out)
{
    const struct workload *first = runs[0].workload;
    AUTO(groups) struct groups groups = groups_of(first);
    AUTO(table) struct table table = table_begin(2 + ARRAY_N(heads), 2);

    strbuf_addf(out, "%s: %u jobs on %u processors, planned by %s\n", trace, first->jobs_n,
                first->procs, runs[0].estimate);
    add_dropped(first, out);
    if (first->request_is_run)
        strbuf_adds(out, "the trace has no requested times: each job asks for what it runs\n");
    for (uint32_t i = 0; i < runs_n; i++)
        add_whole(&runs[i], out);
    strbuf_adds(out, "\nWaits in seconds; slow: bounded slowdown.\n");
    table_add(&table, "%s", "group");
    table_add(&table, "%s", "policy");
    for (size_t i = 0; i < ARRAY_N(heads); i++)
        table_add(&table, "%s", heads[i]);
    for (uint32_t i = 0; i < groups.n; i++) {
        for (uint32_t j = 0; j < runs_n; j++)
            add_row(&table, &groups.at[i], &runs[j]);
    }
    table_format(&table, out);
}

/* ---- starts ---- */

static int by_number(const void *a, const void *b)
{
    const struct sim_job *const *x = a, *const *y = b;

    return (*x)->number < (*y)->number ? -1 : (*x)->number > (*y)->number;
}

void report_starts(const struct workload *workload, struct strbuf *out)
{
    AUTO_FREE const struct sim_job **sorted = xcalloc(workload->jobs_n, sizeof(struct sim_job *));
    uint32_t n = 0;

    for (uint32_t i = 0; i < workload->jobs_n; i++) {
        if (workload->jobs[i].start_ms != SIM_NEVER)
            sorted[n++] = &workload->jobs[i];
    }
    qsort(sorted, n, sizeof(struct sim_job *), by_number);
    for (uint32_t i = 0; i < n; i++)
        strbuf_addf(out, "%lld %lld\n", (long long)sorted[i]->number,
                    (long long)(sorted[i]->start_ms / 1000));
}
