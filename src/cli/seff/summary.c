#include "cli/seff/summary.h"

#include <inttypes.h>
#include <sys/wait.h>

#include "common/text/duration.h"

/* Appends megabytes as "3.43 MB" or "0.00 MB". */
static void format_kb(uint64_t kb, struct strbuf *out)
{
    static const char units[] = "KMGTPE";
    double amount = (double)kb;
    size_t unit = 0;

    for (; amount >= 1024 && unit + 2 < sizeof(units); unit++)
        amount /= 1024;
    strbuf_addf(out, "%.2f %cB", amount, kb ? units[unit] : 'M');
}

static double percent(double part, double whole)
{
    return whole > 0 ? part / whole * 100 : 0;
}

static void add_who(const struct job_record *job, const char *cluster, struct strbuf *out)
{
    strbuf_addf(out, "Job ID: %" PRIu32 "\n", job->id);
    if (job->array_job_id && job->array_task != COUNT_UNSET)
        strbuf_addf(out, "Array Job ID: %" PRIu32 "_%" PRIu32 "\n", job->array_job_id,
                    job->array_task);
    strbuf_addf(out, "Cluster: %s\nUser/Group: %s/%s\n", cluster,
                job->user_name ? job->user_name : "", job->group_name ? job->group_name : "");
}

static void add_state(const struct job_record *job, struct strbuf *out)
{
    int code = WIFEXITED(job->exit_status) ? WEXITSTATUS(job->exit_status) : 0;

    strbuf_addf(out, "State: %s", job_state_name(job->state, 0));
    if (job->state != JOB_PENDING && job->state != JOB_RUNNING)
        strbuf_addf(out, " (exit code %d)", code);
    strbuf_addc(out, '\n');
}

static void add_cores(const struct seff_figures *figures, struct strbuf *out)
{
    if (figures->ncpus == 1)
        strbuf_adds(out, "Cores: 1\n");
    else
        strbuf_addf(out, "Nodes: %" PRIu32 "\nCores per node: %" PRIu32 "\n", figures->nnodes,
                    figures->ncpus / figures->nnodes);
}

static void add_cpu(const struct seff_figures *figures, struct strbuf *out)
{
    int64_t core_s = figures->elapsed_s * figures->ncpus;

    strbuf_adds(out, "CPU Utilized: ");
    duration_format(out, (int64_t)figures->cpu_s);
    strbuf_addf(out, "\nCPU Efficiency: %.2f%% of ",
                percent((double)figures->cpu_s, (double)core_s));
    duration_format(out, core_s);
    strbuf_adds(out, " core-walltime\nJob Wall-clock time: ");
    duration_format(out, figures->elapsed_s);
    strbuf_addc(out, '\n');
}

static void add_memory(const struct seff_figures *figures, struct strbuf *out)
{
    bool one = figures->tasks == 1;

    strbuf_adds(out, "Memory Utilized: ");
    format_kb(figures->memory_kb, out);
    strbuf_addf(out, "%s\nMemory Efficiency: %.2f%% of ", one ? "" : " (estimated maximum)",
                percent((double)figures->memory_kb, (double)figures->asked_kb));
    format_kb(figures->asked_kb, out);
    if (!one) {
        strbuf_adds(out, " (");
        format_kb(figures->asked_kb / (figures->per_node ? figures->nnodes : figures->ncpus), out);
        strbuf_adds(out, figures->per_node ? "/node)" : "/core)");
    }
    strbuf_addc(out, '\n');
}

void seff_summary(const struct history_job *history, const char *cluster, struct strbuf *out)
{
    const struct seff_figures figures = seff_figures_of(history);
    const struct job_record *job = history->job;

    add_who(job, cluster, out);
    add_state(job, out);
    add_cores(&figures, out);
    if (job->state == JOB_PENDING) {
        strbuf_adds(out, "Efficiency not available for jobs in the PENDING state.\n");
        return;
    }
    add_cpu(&figures, out);
    add_memory(&figures, out);
    if (job->state == JOB_RUNNING)
        strbuf_adds(out, "WARNING: Efficiency statistics may be misleading for RUNNING jobs.\n");
}
