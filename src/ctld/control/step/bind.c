#include "ctld/control/step/bind.h"

#include "common/text/cpubind.h"

/* Returns the CpuBind of the job's nodes if all have the same, or CPU_BIND_UNSAID. */
static uint32_t bind_of_nodes(const struct model *model, const struct job *job)
{
    uint32_t kind = CPU_BIND_UNSAID;

    for (uint32_t i = 0; i < job->rec.nodes_n; i++) {
        const struct node *node = model_find_node(model, job->rec.nodes[i].name);

        if (!node || (i > 0 && node->conf->cpu_bind != kind))
            return CPU_BIND_UNSAID;
        kind = node->conf->cpu_bind;
    }
    return kind;
}

/* Returns how a step is bound that does not say it. */
static enum cpu_bind_kind usual_bind(const struct model *model, const struct job *job)
{
    const struct partition *part = model_find_partition(model, job->rec.partition);
    uint32_t kind = bind_of_nodes(model, job);

    if (kind == CPU_BIND_UNSAID && part)
        kind = part->conf->cpu_bind;
    return (enum cpu_bind_kind)(kind == CPU_BIND_UNSAID ? model->config.task_bind : kind);
}

char *bind_decide(const struct model *model, const struct step *step)
{
    const char *asked = step->rec.spec->cpu_bind;
    AUTO(cpu_bind) struct cpu_bind bind = { .verbose = model->config.task_bind_verbose };
    AUTO(strbuf) struct strbuf text = { 0 };

    if (asked && cpu_bind_add(&bind, asked, NULL) < 0)
        return xstrdup(asked); /* the node says what is wrong with it */
    if (bind.kind == CPU_BIND_UNSAID)
        bind.kind = usual_bind(model, step->job);
    cpu_bind_format(&bind, &text);
    return strbuf_steal(&text);
}
