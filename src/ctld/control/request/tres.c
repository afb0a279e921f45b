#include "ctld/control/request/tres.h"

#include <string.h>
#include <strings.h>

#include "common/msg/tres.h"
#include "common/text/tres_weights.h"
#include "common/text/words.h"

#define BILLING_MAX (COUNT_INFINITE - 1) /* COUNT_INFINITE and COUNT_UNSET are no numbers */

/* ---- what there is ---- */

/* True if the line of devices is of this sort: "gpu" of any type, "gpu:tesla" of one. */
static bool is_sort(const struct gres_info *gres, const char *name)
{
    const size_t n = strlen(gres->name);

    return strncasecmp(name, gres->name, n) == 0 &&
           (!name[n] || (name[n] == ':' && word_is(name + n + 1, gres->type)));
}

static double node_has(const struct node *node, const char *tres)
{
    const char *gres;
    double sum = 0;

    if (word_is(tres, "cpu"))
        return node->conf->cpus;
    if (word_is(tres, "mem"))
        return (double)node->conf->memory_mb;
    if (word_is(tres, "node"))
        return 1;
    if (!word_starts(tres, "gres/", &gres))
        return 0;
    for (uint32_t i = 0; i < node->conf->devices_n; i++) {
        if (is_sort(&node->conf->devices[i], gres))
            sum += (double)node->conf->devices[i].count;
    }
    return sum;
}

static double licenses_of(const struct model *model, const char *name)
{
    double sum = 0;

    for (uint32_t i = 0; i < model->licenses_n; i++) {
        if (word_is(name, model->licenses[i].name))
            sum += model->licenses[i].total;
    }
    return sum;
}

static double partition_has(const struct model *model, const struct partition *part,
                            const char *tres)
{
    const char *license;
    double sum = 0;

    if (word_starts(tres, "license/", &license))
        return licenses_of(model, license);
    BITSET_FOREACH (&part->nodes, i)
        sum += node_has(&model->nodes[i], tres);
    return sum;
}

/* ---- what is asked for ---- */

/* Returns the megabytes of the partition's first node, as if all were alike: which one a job gets
 * is not known yet. */
static double first_has(const struct model *model, const struct partition *part)
{
    BITSET_FOREACH (&part->nodes, i)
        return node_has(&model->nodes[i], "mem");
    return 0;
}

/* Returns how many there are of "gpu", of all types, or of "gpu:tesla", of one. */
static double count_sort(const struct gres_list *list, const char *sort)
{
    AUTO(words) struct words parts = words_split(sort, ":");

    if (parts.n == 0)
        return 0;
    return (double)gres_count(list, parts.at[0], parts.n > 1 ? parts.at[1] : NULL);
}

static double gres_asked(const struct tres_job *job, const char *sort)
{
    const struct job_request *request = job->request;
    const uint32_t nodes = job->rec->spec->min_nodes;

    return count_sort(&request->per_job, sort) + count_sort(&request->per_node, sort) * nodes +
           count_sort(&request->per_socket, sort) * nodes +
           count_sort(&request->per_task, sort) * job->rec->ntasks;
}

/* Returns the megabytes asked for: a job that names none, or 0, has all that there is on a node. */
static double memory_asked(const struct model *model, const struct tres_job *job)
{
    const struct job_spec *spec = job->rec->spec;

    if (spec->mem_per_node != MB_UNSET && spec->mem_per_node > 0)
        return (double)spec->mem_per_node * spec->min_nodes;
    if (spec->mem_per_cpu != MB_UNSET && spec->mem_per_cpu > 0)
        return (double)spec->mem_per_cpu * job->rec->ncpus;
    if (spec->mem_per_gpu != MB_UNSET && spec->mem_per_gpu > 0)
        return (double)spec->mem_per_gpu * gres_asked(job, "gpu");
    return first_has(model, job->part) * spec->min_nodes;
}

static double license_asked(const struct licenses *licenses, const char *name)
{
    double sum = 0;

    for (uint32_t i = 0; i < licenses->n; i++) {
        if (word_is(name, licenses->at[i].name))
            sum += licenses->at[i].count;
    }
    return sum;
}

static double job_asks(const struct model *model, const struct tres_job *job, const char *tres)
{
    const char *rest;

    if (word_is(tres, "cpu"))
        return job->rec->ncpus;
    if (word_is(tres, "mem"))
        return memory_asked(model, job);
    if (word_is(tres, "node"))
        return job->rec->spec->min_nodes;
    if (word_starts(tres, "gres/", &rest))
        return gres_asked(job, rest);
    if (word_starts(tres, "license/", &rest))
        return license_asked(&job->request->licenses, rest);
    return 0;
}

/* ---- what is held ---- */

static double job_holds(const struct model *model, const struct tres_job *job, const char *tres)
{
    AUTO(tres) struct tres held = tres_allocated(job->rec);
    const char *rest;

    if (word_is(tres, "mem"))
        return held.mem_mb == MB_UNSET ? 0 : (double)held.mem_mb;
    if (word_is(tres, "node"))
        return job->rec->nodes_n;
    if (word_starts(tres, "gres/", &rest))
        return count_sort(&held.gres, rest);
    /* The record's cpus are those it holds, and licenses do not change. */
    return job_asks(model, job, tres);
}

/* ---- billing: what TRESBillingWeights makes of the others ---- */

enum bill_of { BILL_PARTITION, BILL_NODE, BILL_ASKED, BILL_HELD };

struct bill {
    enum bill_of of;
    const struct model *model;
    const struct partition *part;
    const struct tres_job *job; /* of BILL_ASKED and BILL_HELD */
    const struct node *node;    /* of BILL_NODE */
};

static double resource(const struct bill *bill, const char *tres)
{
    switch (bill->of) {
    case BILL_ASKED:
        return job_asks(bill->model, bill->job, tres);
    case BILL_HELD:
        return job_holds(bill->model, bill->job, tres);
    case BILL_NODE: /* Slurm counts what is on it, not the node itself */
        return word_is(tres, "node") ? 0 : node_has(bill->node, tres);
    default:
        return partition_has(bill->model, bill->part, tres);
    }
}

static bool has_weights(const struct partition *part)
{
    return part->conf->billing_weights && *part->conf->billing_weights;
}

/* Returns the billing in whole units. Without weights a cpu is one. */
static double billing(const struct bill *bill)
{
    AUTO(tres_weights) struct tres_weights weights = { 0 };
    double sum = 0, most = 0;

    if (tres_weights_parse(bill->part->conf->billing_weights, &weights, NULL) < 0 || weights.n == 0)
        return resource(bill, "cpu");
    for (uint32_t i = 0; i < weights.n; i++) {
        const char *tres = weights.at[i].name;
        const double units = resource(bill, tres) * weights.at[i].each;

        if ((bill->model->config.priority.flags & PRIORITY_MAX_TRES) &&
            !word_starts(tres, "license/", NULL))
            most = units > most ? units : most;
        else
            sum += units;
    }
    return (double)(uint64_t)(sum + most > 0 ? sum + most : 0);
}

/* Returns the billing to note; COUNT_UNSET: there are no weights, so readers count cpus. */
static uint32_t noted(const struct bill *bill)
{
    double units = 0;

    if (!has_weights(bill->part))
        return COUNT_UNSET;
    units = billing(bill);
    return units < BILLING_MAX ? (uint32_t)units : BILLING_MAX;
}

uint32_t tres_billing_of_partition(const struct model *model, const struct partition *part)
{
    return noted(&(struct bill){ BILL_PARTITION, model, part, NULL, NULL });
}

uint32_t tres_billing_of_node(const struct model *model, const struct node *node)
{
    uint32_t most = COUNT_UNSET;

    for (uint32_t i = 0; i < model->partitions_n; i++) {
        const struct partition *part = &model->partitions[i];
        const struct bill bill = { BILL_NODE, model, part, NULL, node };
        uint32_t units;

        if (!bitset_has(&part->nodes, node->index))
            continue;
        units = has_weights(part) ? noted(&bill) : node->conf->cpus;
        most = most == COUNT_UNSET || units > most ? units : most;
    }
    return most;
}

uint32_t tres_billing_asked(const struct model *model, const struct tres_job *job)
{
    return noted(&(struct bill){ BILL_ASKED, model, job->part, job, NULL });
}

static struct tres_job weighed(const struct model *model, const struct job *job)
{
    return (struct tres_job){ &job->rec, &job->request, &model->partitions[job->partition] };
}

void job_bill_asked(const struct model *model, struct job *job)
{
    const struct tres_job asks = weighed(model, job);

    job->rec.billing_asked = tres_billing_asked(model, &asks);
}

void job_bill_held(const struct model *model, struct job *job)
{
    const struct tres_job holds = weighed(model, job);

    job->rec.billing = noted(&(struct bill){ BILL_HELD, model, holds.part, &holds, NULL });
}

double tres_of_partition(const struct model *model, const struct partition *part, const char *tres)
{
    return word_is(tres, "billing")
               ? billing(&(struct bill){ BILL_PARTITION, model, part, NULL, NULL })
               : partition_has(model, part, tres);
}

double tres_of_cluster(const struct model *model, const char *tres)
{
    const bool is_billing = word_is(tres, "billing");
    const char *license;
    double sum = 0;

    if (word_starts(tres, "license/", &license))
        return licenses_of(model, license);
    for (uint32_t i = 0; i < model->nodes_n; i++) {
        const uint32_t weighed =
            is_billing ? tres_billing_of_node(model, &model->nodes[i]) : COUNT_UNSET;

        sum += weighed != COUNT_UNSET ? weighed
                                      : node_has(&model->nodes[i], is_billing ? "cpu" : tres);
    }
    return sum;
}

double tres_of_job(const struct model *model, const struct tres_job *job, const char *tres)
{
    return word_is(tres, "billing")
               ? billing(&(struct bill){ BILL_ASKED, model, job->part, job, NULL })
               : job_asks(model, job, tres);
}
