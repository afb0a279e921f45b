#include "noded/stepd/task_bind.h"

#include <stdio.h>
#include <unistd.h>

void task_bind_set_node(struct task_env *env, const struct cpu_plan *plan)
{
    const struct cpu_bind *shown = &plan->shown;
    AUTO(strbuf) struct strbuf whole = { 0 };

    if (!cpu_plan_is_told(plan))
        return;
    cpu_bind_format(shown, &whole);
    task_env_set(env, "SLURM_CPU_BIND", "%s", strbuf_text(&whole));
    task_env_set(env, "SLURM_CPU_BIND_VERBOSE", "%s", shown->verbose ? "verbose" : "quiet");
    task_env_set(env, "SLURM_CPU_BIND_TYPE", "%s", cpu_bind_word(shown->kind));
    task_env_set(env, "SLURM_CPU_BIND_LIST", "%s", shown->list ? shown->list : "");
}

/* A task that could not be bound runs all the same, as in Slurm. */
void task_bind_self(const struct cpu_plan *plan, const struct task_env_node *node, uint32_t local)
{
    const struct step_node *here = &node->body->nodes[node->node_index];
    const struct bound_task task = {
        .node = here->name, .task = here->tasks[local], .local = local, .pid = getpid()
    };
    AUTO(strbuf) struct strbuf line = { 0 };
    const int rc = cpu_plan_apply(plan, local);

    if (!plan->shown.verbose)
        return;
    cpu_plan_describe(plan, &task, rc, &line);
    dprintf(STDERR_FILENO, "%s", strbuf_text(&line));
}
