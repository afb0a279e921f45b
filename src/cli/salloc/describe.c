#include "cli/salloc/describe.h"

char *salloc_fold_counts(const uint32_t *counts, uint32_t n)
{
    AUTO(strbuf) struct strbuf out = { 0 };

    for (uint32_t i = 0; i < n;) {
        uint32_t run = 1;

        while (i + run < n && counts[i + run] == counts[i])
            run++;
        strbuf_addf(&out, "%s%u", i > 0 ? "," : "", counts[i]);
        if (run > 1)
            strbuf_addf(&out, "(x%u)", run);
        i += run;
    }
    return strbuf_steal(&out);
}

static void describe_nodes(struct environment *environment, const struct job_record *job)
{
    AUTO_FREE uint32_t *cpus = xcalloc(job->nodes_n + 1, sizeof(*cpus));
    AUTO_FREE char *folded = NULL;

    for (uint32_t i = 0; i < job->nodes_n; i++)
        cpus[i] = job->nodes[i].cpus_n;
    folded = salloc_fold_counts(cpus, job->nodes_n);
    environment_set(environment, "SLURM_JOB_NODELIST", "%s", job->node_list ? job->node_list : "");
    environment_set(environment, "SLURM_NODELIST", "%s", job->node_list ? job->node_list : "");
    environment_set(environment, "SLURM_JOB_NUM_NODES", "%u", job->nodes_n);
    environment_set(environment, "SLURM_NNODES", "%u", job->nodes_n);
    environment_set(environment, "SLURM_JOB_CPUS_PER_NODE", "%s", folded);
}

void salloc_describe(struct environment *environment, const struct job_event *granted)
{
    const struct job_record *job = granted->job;
    AUTO_FREE char *tasks = salloc_fold_counts(granted->tasks_per_node, granted->tasks_per_node_n);

    environment_set(environment, "SLURM_JOB_ID", "%u", job->id);
    environment_set(environment, "SLURM_JOBID", "%u", job->id);
    describe_nodes(environment, job);
    if (granted->tasks_per_node_n > 0)
        environment_set(environment, "SLURM_TASKS_PER_NODE", "%s", tasks);
    if (job->partition)
        environment_set(environment, "SLURM_JOB_PARTITION", "%s", job->partition);
    if (job->spec && job->spec->account)
        environment_set(environment, "SLURM_JOB_ACCOUNT", "%s", job->spec->account);
    if (job->spec && job->spec->qos)
        environment_set(environment, "SLURM_JOB_QOS", "%s", job->spec->qos);
}
