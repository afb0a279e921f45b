#include "cli/scontrol/resize.h"

#include "common/text/counts.h"

static void set(enum resize_shell shell, const char *name, const char *value, struct strbuf *out)
{
    if (shell == RESIZE_SH)
        strbuf_addf(out, "export %s=%s\n", name, value);
    else
        strbuf_addf(out, "setenv %s %s\n", name, value);
}

static void unset(enum resize_shell shell, const char *name, struct strbuf *out)
{
    strbuf_addf(out, "%s %s\n", shell == RESIZE_SH ? "unset" : "unsetenv", name);
}

void resize_format(const struct job_record *job, enum resize_shell shell, struct strbuf *out)
{
    AUTO_FREE uint32_t *counts = xcalloc(job->nodes_n + 1, sizeof(*counts));
    AUTO_FREE char *nodes = xasprintf("\"%s\"", job->node_list ? job->node_list : "");
    AUTO_FREE char *nodes_n = xasprintf("%u", job->nodes_n);
    AUTO(strbuf) struct strbuf cpus = { 0 };

    for (uint32_t i = 0; i < job->nodes_n; i++)
        counts[i] = job->nodes[i].cpus_n;
    strbuf_adds(&cpus, "\"");
    counts_format(counts, job->nodes_n, &cpus);
    strbuf_adds(&cpus, "\"");
    set(shell, "SLURM_NODELIST", nodes, out);
    set(shell, "SLURM_JOB_NODELIST", nodes, out);
    set(shell, "SLURM_NNODES", nodes_n, out);
    set(shell, "SLURM_JOB_NUM_NODES", nodes_n, out);
    set(shell, "SLURM_JOB_CPUS_PER_NODE", strbuf_text(&cpus), out);
    unset(shell, "SLURM_NPROCS", out);
    unset(shell, "SLURM_NTASKS", out);
    unset(shell, "SLURM_TASKS_PER_NODE", out);
}
