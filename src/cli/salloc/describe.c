#include "cli/salloc/describe.h"

#include "common/msg/job_env.h"

void salloc_describe(struct environment *environment, const struct job_event *granted)
{
    struct job_env_facts facts = JOB_ENV_NO_FACTS;

    facts.job = granted->job;
    facts.spec = granted->job->spec;
    facts.cpus_per_node =
        (struct job_env_counts){ granted->cpus_per_node, granted->cpus_per_node_n };
    facts.tasks_per_node =
        (struct job_env_counts){ granted->tasks_per_node, granted->tasks_per_node_n };
    environment_make(environment, JOB_ENV_ALLOC, &facts);
}
