#include "noded/stepd/task_bind.h"

#include <stdio.h>
#include <unistd.h>

int task_binding_make(const struct bind_conf *conf, const struct launch_body *body,
                      uint32_t node_index, struct task_binding *ret, struct err *err)
{
    int rc = cpu_plan_make(conf, body, node_index, &ret->cpus, err);

    return rc < 0 ? rc : mem_plan_make(conf, body, &ret->memory, err);
}

void task_bind_set_node(struct task_env *env, const struct task_binding *binding)
{
    struct job_env_facts facts = JOB_ENV_NO_FACTS;

    if (cpu_plan_is_told(&binding->cpus))
        facts.cpu_bind = &binding->cpus.shown;
    if (mem_plan_is_told(&binding->memory))
        facts.mem_bind = &binding->memory.bind;
    task_env_make(env, JOB_ENV_BOUND, &facts);
}

static void bind_cpus(const struct cpu_plan *plan, const struct bound_task *task)
{
    AUTO(strbuf) struct strbuf line = { 0 };
    const int rc = cpu_plan_apply(plan, task->local);

    /* A task that could not be bound runs all the same, as in Slurm. */
    if (!plan->shown.verbose)
        return;
    cpu_plan_describe(plan, task, rc, &line);
    dprintf(STDERR_FILENO, "%s", strbuf_text(&line));
}

static int bind_memory(const struct mem_plan *plan, const struct bound_task *task)
{
    AUTO(bitset) struct bitset nodes = { 0 };
    AUTO(strbuf) struct strbuf line = { 0 };
    struct err err = { 0 };

    if (!mem_plan_is_told(plan))
        return 0;
    if (mem_plan_nodes(plan, task->local, &nodes, &err) < 0) {
        dprintf(STDERR_FILENO, "slurmstepd-%s: error: %s\n", task->node, err.text);
        return EXIT_FAILURE;
    }
    /* A task that cannot have memory as asked is slower and not wrong. */
    (void)mem_plan_apply(plan, &nodes);
    if (!plan->bind.verbose)
        return 0;
    mem_plan_describe(plan, task, &nodes, &line);
    dprintf(STDERR_FILENO, "%s", strbuf_text(&line));
    return 0;
}

bool task_bind_is_quiet(const struct task_binding *binding)
{
    return !binding->cpus.shown.verbose && !mem_plan_is_told(&binding->memory);
}

int task_bind_self(const struct task_binding *binding, const struct task_env_node *node,
                   uint32_t local)
{
    const struct step_node *here = &node->body->nodes[node->node_index];
    const struct bound_task task = {
        .node = here->name, .task = here->tasks[local], .local = local, .pid = getpid()
    };

    bind_cpus(&binding->cpus, &task);
    return bind_memory(&binding->memory, &task);
}
