#include "ctld/control/act/per_node.h"

#include <string.h>

#include "ctld/control/act/layout.h"

uint32_t node_threads(const struct node_info *conf)
{
    const uint32_t cores = conf->sockets * conf->cores_per_socket;

    return cores && conf->cpus == cores * conf->threads_per_core ? conf->threads_per_core : 1;
}

void core_count_add(struct core_count *count, uint32_t cpu)
{
    const uint32_t core = cpu / count->threads;

    count->of_core = count->of_core && core == count->core ? count->of_core + 1 : 1;
    count->core = core;
    if (count->most == 0 || count->of_core <= count->most)
        count->n++;
}

uint32_t place_cpus(const struct model *model, uint32_t node, const struct job_node *place,
                    uint32_t per_core, const struct bitset *without)
{
    const struct node *at = model_node(model, node);
    struct core_count count = { .threads = at ? node_threads(at->conf) : 1, .most = per_core };

    if (per_core == 0 && !without)
        return place->cpus_n;
    for (uint32_t i = 0; i < place->cpus_n; i++) {
        if (!without || !bitset_has(without, place->cpus[i]))
            core_count_add(&count, place->cpus[i]);
    }
    return count.n;
}

uint32_t job_cpus_on(const struct model *model, const struct job *job, uint32_t i)
{
    const uint32_t asked = job->rec.spec->threads_per_core;

    return place_cpus(model, job->nodes[i], &job->rec.nodes[i], asked == COUNT_UNSET ? 0 : asked,
                      NULL);
}

void job_cpus_per_node(const struct model *model, const struct job *job, uint32_t *ret)
{
    for (uint32_t i = 0; i < job->rec.nodes_n; i++)
        ret[i] = job_cpus_on(model, job, i);
}

/* Fills in the tasks of each node as the planner dealt them. False: it was not asked to, or the
 * record is older than that. */
static bool tasks_as_planned(const struct job *job, uint32_t *ret)
{
    for (uint32_t i = 0; i < job->rec.nodes_n; i++) {
        ret[i] = job->rec.nodes[i].tasks;
        if (ret[i] == 0)
            return false;
    }
    return job->rec.spec->ntasks != COUNT_UNSET && !job->rec.spec->overcommit;
}

void job_tasks_per_node(const struct model *model, const struct job *job, uint32_t *ret)
{
    const struct job_spec *spec = job->rec.spec;
    const uint32_t n = job->rec.nodes_n;
    const uint32_t each = spec->cpus_per_task == COUNT_UNSET ? 1 : spec->cpus_per_task;
    AUTO_FREE struct layout_node *nodes = xcalloc(n, sizeof(*nodes));
    AUTO_FREE uint32_t *cpus = xcalloc(n, sizeof(*cpus));
    struct layout_ask ask = {
        .min_nodes = n,
        .max_nodes = n,
        .ntasks = spec->ntasks,
        .cpus_per_task = each,
        .ntasks_per_node = spec->ntasks_per_node == COUNT_UNSET ? 0 : spec->ntasks_per_node,
        .overcommit = spec->overcommit,
    };

    if (tasks_as_planned(job, ret))
        return;
    job_cpus_per_node(model, job, cpus);
    for (uint32_t i = 0; i < n; i++)
        nodes[i] = (struct layout_node){ .cpus = cpus[i], .most_tasks = UINT32_MAX };
    if (spec->ntasks != COUNT_UNSET && layout_make(&ask, nodes, n, ret))
        return;
    for (uint32_t i = 0; i < n; i++)
        ret[i] = cpus[i] < each ? 1 : cpus[i] / each;
}

int64_t job_position(const struct job *job, const char *node)
{
    for (uint32_t i = 0; i < job->rec.nodes_n; i++) {
        if (strcmp(job->rec.nodes[i].name, node) == 0)
            return i;
    }
    return -1;
}

struct job_node *job_find_leaving(struct job *job, const char *node)
{
    for (uint32_t i = 0; i < job->rec.leaving_n; i++) {
        if (strcmp(job->rec.leaving[i].name, node) == 0)
            return &job->rec.leaving[i];
    }
    return NULL;
}

struct job_node *job_find_place(struct job *job, const char *node)
{
    const int64_t position = job_position(job, node);

    return position >= 0 ? &job->rec.nodes[position] : job_find_leaving(job, node);
}
