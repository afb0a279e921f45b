/* job_detail.c - which cpus on which nodes a job holds. */
#include <string.h>

#include "cli/scontrol/job_values.h"
#include "common/text/gres.h"
#include "common/text/hostlist.h"
#include "common/text/numbers.h"

/*
 * Returns what the job holds of a node, without its name; the devices of a job that is over are not
 * told.
 */
static char *holdings_of(const struct job_record *job, const struct job_node *node)
{
    AUTO(strbuf) struct strbuf cpu_ids = { 0 };
    struct strbuf out = { 0 };

    numbers_format(node->cpus, node->cpus_n, &cpu_ids);
    strbuf_addf(&out, "CPU_IDs=%s Mem=%llu GRES=", strbuf_text(&cpu_ids),
                (unsigned long long)job_node_memory(node));
    if (!job_state_is_over(job->state))
        job_node_gres(node, &out);
    return strbuf_steal(&out);
}

/* Appends what all nodes together give, as "gpu:a100:3,gpu:2"; "(null)" for nothing. */
static void add_all_gres(const struct job_record *job, struct strbuf *out)
{
    AUTO(gres) struct gres_list all = { 0 };

    for (uint32_t i = 0; i < job->nodes_n; i++) {
        for (uint32_t k = 0; k < job->nodes[i].gres_n; k++) {
            const struct job_gres *gres = &job->nodes[i].gres[k];

            gres_add(&all, gres->name, gres->type, gres->count);
        }
    }
    if (all.n == 0)
        strbuf_adds(out, "(null)");
    gres_write(&all, "", out);
}

/* Appends a line for each node; neighbours that give the job the same share a line. */
void show_job_detail(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    const struct job_record *job = job_row_of(row)->job;
    uint32_t i = 0;

    if (!job_show_of(ctx)->details || !job->nodes_n || job->state == JOB_PENDING)
        return;
    add_all_gres(job, out);
    while (i < job->nodes_n) {
        AUTO(hostlist) struct hostlist *names = hostlist_new();
        AUTO_FREE char *holdings = holdings_of(job, &job->nodes[i]), *list = NULL;

        hostlist_add(names, job->nodes[i].name);
        while (++i < job->nodes_n) {
            AUTO_FREE char *next = holdings_of(job, &job->nodes[i]);

            if (strcmp(next, holdings) != 0)
                break;
            hostlist_add(names, job->nodes[i].name);
        }
        list = hostlist_format(names);
        strbuf_addf(out, "%sNodes=%s %s", job_show_of(ctx)->one_line ? " " : "\n     ", list,
                    holdings);
    }
}
