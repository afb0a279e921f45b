#include "cli/srun/describe.h"

#include <string.h>

#include "common/base/bitset.h"
#include "common/text/cpubind.h"
#include "common/text/tasks.h"

void describe_job(const struct job_record *job, struct strbuf *out)
{
    strbuf_addf(out, "jobid %u: nodes(%u):`%s', cpu counts: ", job->id, job->nodes_n,
                job->node_list ? job->node_list : "");
    for (uint32_t i = 0, run; i < job->nodes_n; i += run) {
        const uint32_t cpus = job->nodes[i].cpus_n;

        for (run = 1; i + run < job->nodes_n && job->nodes[i + run].cpus_n == cpus; run++)
            ;
        strbuf_addf(out, "%s%u(x%u)", i ? "," : "", cpus, run);
    }
}

void describe_binding(const char *text, struct strbuf *out)
{
    AUTO(cpu_bind) struct cpu_bind bind = { 0 };
    const char *word;

    (void)cpu_bind_add(&bind, text, NULL);
    word = cpu_bind_word(bind.kind);
    strbuf_adds(out, "CpuBindType=");
    if (bind.verbose)
        strbuf_addf(out, "verbose%s", *word ? "," : "");
    strbuf_addf(out, "%.*s", (int)strcspn(word, ":"), word); /* a map's list does not follow */
    if (!bind.verbose && !*word)
        strbuf_adds(out, "(null type)");
}

void describe_launch(const struct step_record *step, const struct step_node *node,
                     struct strbuf *out)
{
    AUTO(bitset) struct bitset tasks = { 0 };
    AUTO(strbuf) struct strbuf list = { 0 };

    bitset_init(&tasks, step->ntasks);
    for (uint32_t i = 0; i < node->tasks_n; i++) {
        if (node->tasks[i] < step->ntasks)
            bitset_add(&tasks, node->tasks[i]);
    }
    tasks_format(&tasks, &list);
    strbuf_addf(out, "launching StepId=%u.%u on host %s, %u tasks: ", step->job_id, step->step_id,
                node->name, node->tasks_n);
    strbuf_addf(out, node->tasks_n > 1 ? "[%s]" : "%s", strbuf_text(&list));
}
