/* What a node has, for the planner. */
#include "ctld/control/feed/snapshot.h"

#include <stdlib.h>

#include "ctld/control/act/per_node.h"
#include "ctld/model/gres.h"
#include "ctld/sched/place/spare.h"

/* ---- cpus that are not for jobs ---- */

struct cpus {
    const struct node_info *conf;
    uint32_t per_core; /* cpus of a core; 1 where only cores are counted */
    uint32_t cores;
};

static struct cpus cpus_of(const struct node_info *conf)
{
    const uint32_t per_core = node_threads(conf);

    return (struct cpus){ .conf = conf, .per_core = per_core, .cores = conf->cpus / per_core };
}

static void add_core(const struct cpus *cpus, uint32_t core, struct bitset *set)
{
    for (uint32_t i = 0; i < cpus->per_core && core < cpus->cores; i++)
        bitset_add(set, core * cpus->per_core + i);
}

/* Bars the cores of CoreSpecCount. */
static void bar_count(const struct cpus *cpus, bool first, struct bitset *barred)
{
    const uint32_t sockets = cpus->conf->sockets ? cpus->conf->sockets : 1;
    const uint32_t each = cpus->cores / sockets;

    for (uint32_t i = 0; i < cpus->conf->core_spec_count && i < each * sockets; i++)
        add_core(cpus, spare_core(sockets, each, i, first), barred);
}

/* Bars the whole cores of the cpus of CpuSpecList="0-1,8". */
static void bar_list(const struct cpus *cpus, const char *list, struct bitset *barred)
{
    while (*list) {
        char *end;
        const unsigned long first = strtoul(list, &end, 10);
        const unsigned long last = *end == '-' ? strtoul(end + 1, &end, 10) : first;

        if (end == list)
            return;
        for (unsigned long cpu = first; cpu <= last && cpu < cpus->conf->cpus; cpu++)
            add_core(cpus, (uint32_t)cpu / cpus->per_core, barred);
        list = end + (*end == ',');
    }
}

/* Fills in the cpus that are not for jobs, of which select/linear knows none. */
static void fill_barred(const struct model *model, const struct node_info *conf,
                        struct bitset *barred)
{
    const struct cpus cpus = cpus_of(conf);

    if ((model->config.select & SELECT_LINEAR) ||
        (conf->core_spec_count == 0 && !conf->cpu_spec_list))
        return;
    bitset_init(barred, conf->cpus);
    if (conf->cpu_spec_list)
        bar_list(&cpus, conf->cpu_spec_list, barred);
    else
        bar_count(&cpus, model->config.sched.spec_cores_first, barred);
}

/* ---- generic resources ---- */

static struct bitset *near_of(const struct node_info *conf, const struct gres_info *info)
{
    const struct cpus cpus = cpus_of(conf);
    struct bitset *near;

    if (info->cores_n == 0)
        return NULL;
    near = xcalloc(info->count, sizeof(*near));
    for (uint64_t i = 0; i < info->count; i++) {
        bitset_init(&near[i], conf->cpus);
        for (uint32_t c = 0; c < info->cores_n; c++)
            add_core(&cpus, info->cores[c], &near[i]);
    }
    return near;
}

static struct plan_gres *gres_of(const struct node_info *conf)
{
    struct plan_gres *gres = xcalloc(conf->devices_n, sizeof(*gres));

    for (uint32_t i = 0; i < conf->devices_n; i++) {
        const struct gres_info *info = &conf->devices[i];

        gres[i] = (struct plan_gres){
            .name = info->name,
            .type = info->type,
            .count = info->count,
            .counted = gres_is_counted(info),
            .near = gres_is_counted(info) ? NULL : near_of(conf, info),
        };
    }
    return gres;
}

/* ---- the node ---- */

void feed_fill_node(const struct model *model, const struct node *node, struct plan_node *ret)
{
    const struct node_info *conf = node->conf;

    *ret = (struct plan_node){
        .name = node->rec.name,
        .sockets = conf->sockets,
        .cores_per_socket = conf->cores_per_socket,
        .threads_per_core = conf->threads_per_core,
        .cpus = conf->cpus,
        .memory_mb = node_memory_for_jobs(node),
        .weight = conf->weight,
        .features = (const char *const *)node->features,
        .features_n = node->features_n,
        .gres = gres_of(conf),
        .gres_n = conf->devices_n,
    };
    fill_barred(model, conf, &ret->barred);
}

void feed_clear_node(struct plan_node *plan)
{
    for (uint32_t i = 0; i < plan->gres_n; i++) {
        struct bitset *near = (struct bitset *)plan->gres[i].near;

        for (uint64_t d = 0; near && d < plan->gres[i].count; d++)
            bitset_clear(&near[d]);
        free(near);
    }
    free((void *)plan->gres);
    bitset_clear(&plan->barred);
}
