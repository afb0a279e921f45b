#include "ctld/control/tres.h"

#include <string.h>
#include <strings.h>

#include "common/text/gres.h"
#include "common/text/licenses.h"
#include "common/text/tres_weights.h"
#include "common/text/words.h"

/* ---- what there is ---- */

/* "gpu", "gpu:tesla" against a line of devices. */
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

static double partition_has(const struct model *model, const struct partition *part,
                            const char *tres)
{
    const char *license;
    double sum = 0;

    if (word_starts(tres, "license/", &license)) {
        for (uint32_t i = 0; i < model->config.licenses_n; i++) {
            if (word_is(license, model->config.licenses[i].name))
                sum += model->config.licenses[i].total;
        }
        return sum;
    }
    BITSET_FOREACH (&part->nodes, i)
        sum += node_has(&model->nodes[i], tres);
    return sum;
}

/* ---- what is asked for ---- */

static double memory_asked(const struct job_spec *spec, uint32_t cpus)
{
    if (spec->mem_per_node != MB_UNSET)
        return (double)spec->mem_per_node * spec->min_nodes;
    return spec->mem_per_cpu != MB_UNSET ? (double)spec->mem_per_cpu * cpus : 0;
}

static double gres_asked_as(const char *asked, const char *gres)
{
    AUTO(gres) struct gres_list list = { 0 };
    AUTO(words) struct words parts = words_split(gres, ":");

    if (!asked || parts.n == 0 || gres_parse(asked, &list, NULL) < 0)
        return 0;
    return (double)gres_count(&list, parts.at[0], parts.n > 1 ? parts.at[1] : NULL);
}

static double gres_asked(const struct job_record *rec, const char *gres)
{
    const struct job_spec *spec = rec->spec;

    return gres_asked_as(spec->tres_per_job, gres) +
           gres_asked_as(spec->tres_per_node, gres) * spec->min_nodes +
           gres_asked_as(spec->tres_per_socket, gres) * spec->min_nodes +
           gres_asked_as(spec->tres_per_task, gres) * rec->ntasks;
}

static double license_asked(const struct job_spec *spec, const char *name)
{
    AUTO(licenses) struct licenses licenses = { 0 };
    double sum = 0;

    if (licenses_parse(spec->licenses, &licenses, NULL) < 0)
        return 0;
    for (uint32_t i = 0; i < licenses.n; i++) {
        if (word_is(name, licenses.at[i].name))
            sum += licenses.at[i].count;
    }
    return sum;
}

static double job_asks(const struct job_record *rec, const char *tres)
{
    const char *rest;

    if (word_is(tres, "cpu"))
        return rec->ncpus;
    if (word_is(tres, "mem"))
        return memory_asked(rec->spec, rec->ncpus);
    if (word_is(tres, "node"))
        return rec->spec->min_nodes;
    if (word_starts(tres, "gres/", &rest))
        return gres_asked(rec, rest);
    if (word_starts(tres, "license/", &rest))
        return license_asked(rec->spec, rest);
    return 0;
}

/* ---- billing: what TRESBillingWeights makes of the others ---- */

/* Of the job, or with NULL of the whole partition. */
static double resource(const struct model *model, const struct partition *part,
                       const struct job_record *rec, const char *tres)
{
    return rec ? job_asks(rec, tres) : partition_has(model, part, tres);
}

/* Whole units. Without weights a cpu is one. */
static double billing(const struct model *model, const struct partition *part,
                      const struct job_record *rec)
{
    AUTO(tres_weights) struct tres_weights weights = { 0 };
    double sum = 0, most = 0;

    if (tres_weights_parse(part->conf->billing_weights, &weights, NULL) < 0 || weights.n == 0)
        return resource(model, part, rec, "cpu");
    for (uint32_t i = 0; i < weights.n; i++) {
        const char *tres = weights.at[i].name;
        const double units = resource(model, part, rec, tres) * weights.at[i].each;

        if ((model->config.priority.flags & PRIORITY_MAX_TRES) &&
            !word_starts(tres, "license/", NULL))
            most = units > most ? units : most;
        else
            sum += units;
    }
    return (double)(uint64_t)(sum + most);
}

double tres_of_partition(const struct model *model, const struct partition *part, const char *tres)
{
    return word_is(tres, "billing") ? billing(model, part, NULL) : partition_has(model, part, tres);
}

double tres_of_job(const struct model *model, const struct partition *part,
                   const struct job_record *rec, const char *tres)
{
    return word_is(tres, "billing") ? billing(model, part, rec) : job_asks(rec, tres);
}
