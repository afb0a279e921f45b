#include "cli/salloc/describe.h"

#include "common/text/counts.h"

static void describe_nodes(struct environment *environment, const struct job_event *granted)
{
    const struct job_record *job = granted->job;
    AUTO(strbuf) struct strbuf folded = { 0 };

    counts_format(granted->cpus_per_node, granted->cpus_per_node_n, &folded);
    environment_set(environment, "SLURM_JOB_NODELIST", "%s", job->node_list ? job->node_list : "");
    environment_set(environment, "SLURM_NODELIST", "%s", job->node_list ? job->node_list : "");
    environment_set(environment, "SLURM_JOB_NUM_NODES", "%u", job->nodes_n);
    environment_set(environment, "SLURM_NNODES", "%u", job->nodes_n);
    environment_set(environment, "SLURM_JOB_CPUS_PER_NODE", "%s", strbuf_text(&folded));
}

void salloc_describe(struct environment *environment, const struct job_event *granted)
{
    const struct job_record *job = granted->job;
    AUTO(strbuf) struct strbuf tasks = { 0 };

    counts_format(granted->tasks_per_node, granted->tasks_per_node_n, &tasks);
    environment_set(environment, "SLURM_JOB_ID", "%u", job->id);
    environment_set(environment, "SLURM_JOBID", "%u", job->id);
    describe_nodes(environment, granted);
    if (granted->tasks_per_node_n > 0)
        environment_set(environment, "SLURM_TASKS_PER_NODE", "%s", strbuf_text(&tasks));
    if (job->partition)
        environment_set(environment, "SLURM_JOB_PARTITION", "%s", job->partition);
    if (job->spec && job->spec->account)
        environment_set(environment, "SLURM_JOB_ACCOUNT", "%s", job->spec->account);
    if (job->spec && job->spec->qos)
        environment_set(environment, "SLURM_JOB_QOS", "%s", job->spec->qos);
}
