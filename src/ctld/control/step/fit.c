/* The rules are told in want.h. */
#include "ctld/control/step/fit.h"

#include <inttypes.h>

#include "ctld/control/act/layout.h"
#include "ctld/control/act/per_node.h"
#include "ctld/control/step/gres.h"
#include "ctld/control/step/use.h"
#include "ctld/control/step/want.h"

/* Returns the step's megabytes on a node where it gets so many cpus, or MB_UNSET. */
static uint64_t memory_for(const struct step_want *want, const struct job_node *place,
                           uint32_t cpus)
{
    if (place->memory == MB_UNSET)
        return MB_UNSET;
    if (want->mem_per_node != MB_UNSET)
        return want->mem_per_node ? want->mem_per_node : place->memory;
    if (want->mem_per_cpu != MB_UNSET)
        return want->mem_per_cpu * cpus;
    return place->cpus_n ? place->memory * cpus / place->cpus_n : place->memory;
}

static bool is_by_gpus(const struct step_want *want)
{
    return want->mem_per_gpu && want->mem_per_node == MB_UNSET && want->mem_per_cpu == MB_UNSET;
}

static bool has_memory(const struct step_want *want, const struct job_node *place,
                       const struct step_use *use)
{
    uint64_t least = memory_for(want, place, want->ask.cpus_per_task);
    uint64_t used = use && !want->overlap ? use->memory_mb : 0;

    if (is_by_gpus(want))
        return true; /* how many it gets here, memory_suffices knows */
    return place->memory == MB_UNSET || used + least <= place->memory;
}

/* Returns how many cpus of the node can have tasks. */
static uint32_t cpus_offered(const struct step_want *want, uint32_t node,
                             const struct job_node *place, const struct step_use *use)
{
    const struct bitset *used = use && !want->overlap ? &use->cpus : NULL;

    if (want->whole && used && bitset_count(used) > 0)
        return 0;
    return place_cpus(want->model, node, place, want->threads_per_core, used);
}

static bool is_in(const struct bitset *nodes, uint32_t node)
{
    return node < nodes->size && bitset_has(nodes, node);
}

/* Returns how often --nodelist names each node of the model, to be freed; NULL: there is no list.
 * Repeats count only where the list says how many tasks a node has. */
static uint32_t *count_listed(const struct step_want *want)
{
    const struct step_request *request = want->request;
    uint32_t *times;

    if (request->required.size == 0)
        return NULL;
    times = xcalloc(want->model->nodes_n, sizeof(*times));
    for (uint32_t i = 0; i < request->listed_n; i++)
        times[request->listed[i]]++;
    if (request->listed_n == 0)
        BITSET_FOREACH (&request->required, node)
            times[node] = 1;
    return times;
}

/* Returns the job's nodes as they are offered to the step, to be freed; `uses` NULL: as if no other
 * step ran. */
static struct layout_node *offer(const struct job *job, const struct step_want *want,
                                 const struct step_use *uses)
{
    struct layout_node *nodes = xcalloc(job->rec.nodes_n, sizeof(*nodes));
    AUTO_FREE uint32_t *listed = count_listed(want);

    for (uint32_t i = 0; i < job->rec.nodes_n; i++) {
        const struct job_node *place = &job->rec.nodes[i];
        const struct step_use *use = uses ? &uses[i] : NULL;

        nodes[i].cpus = cpus_offered(want, job->nodes[i], place, use);
        nodes[i].most_tasks = step_gres_room(&want->gres, place, want->overlap ? NULL : use);
        nodes[i].listed = listed && job->nodes[i] != NODE_NONE ? listed[job->nodes[i]] : 0;
        nodes[i].barred = place->clean || i < want->first ||
                          is_in(&want->request->excluded, job->nodes[i]) ||
                          !has_memory(want, place, use);
        /* Overcommitted tasks share cpus among themselves, not with another step. */
        if (nodes[i].cpus == 0)
            nodes[i].barred = true;
    }
    return nodes;
}

static int check_nodes(const struct job *job, const struct step_want *want, struct err *err)
{
    AUTO(bitset) struct bitset missing = { 0 };

    if (want->first > 0 && want->first + want->ask.min_nodes > job->rec.nodes_n)
        return err_set(err, E_NODE_COUNT,
                       "--relative and --nodes option incompatible with count of allocated nodes "
                       "(%u+%u>%u)",
                       want->first, want->ask.min_nodes, job->rec.nodes_n);
    if (want->ask.min_nodes > job->rec.nodes_n)
        return err_set(err, E_NODE_COUNT, "Only allocated %u nodes asked for %u", job->rec.nodes_n,
                       want->ask.min_nodes);
    bitset_copy(&missing, &want->request->required);
    for (uint32_t i = 0; i < job->rec.nodes_n; i++) {
        if (is_in(&missing, job->nodes[i]))
            bitset_del(&missing, job->nodes[i]);
    }
    BITSET_FOREACH (&missing, node)
        return err_set(err, E_NODE_CONFIG,
                       "Requested node configuration is not available: job %u has no node %s",
                       job->rec.id, want->model->nodes[node].rec.name);
    return 0;
}

static int check_listed(const struct step_want *want, struct err *err)
{
    const uint32_t listed = want->request->listed_n;

    if (!want->ask.as_listed || listed == want->ask.ntasks)
        return 0;
    return err_set(err, E_DISTRIBUTION,
                   "%s: arbitrary wants a node name in --nodelist for each of %u tasks, not %u",
                   err_string(E_DISTRIBUTION), want->ask.ntasks, listed);
}

uint64_t step_memory_of(const struct step_want *want, const struct job_node *place,
                        const struct step_node *part)
{
    const uint64_t gpus = is_by_gpus(want) ? step_gres_gpus(part->gres, part->gres_n) : 0;

    if (place->memory == MB_UNSET || gpus == 0)
        return memory_for(want, place, part->cpus_n);
    return gpus <= place->memory / want->mem_per_gpu ? gpus * want->mem_per_gpu : place->memory + 1;
}

/* True if the memory suffices. Where it hangs on gpus, they are given out for a try; `uses` NULL:
 * as if no other step ran. */
static bool memory_suffices(const struct job *job, const struct step_want *want,
                            const struct step_use *uses, const uint32_t *tasks)
{
    AUTO(step_gres) struct step_gres gres = { 0 };
    uint32_t behind = 0;
    bool fits = true;

    if (!is_by_gpus(want))
        return true;
    step_gres_copy(&want->gres, &gres);
    for (uint32_t i = 0; i < job->rec.nodes_n; i++)
        behind += tasks[i] > 0;
    for (uint32_t i = 0; i < job->rec.nodes_n && fits; i++) {
        const struct job_node *place = &job->rec.nodes[i];
        const struct step_use *use = uses && !want->overlap ? &uses[i] : NULL;
        struct step_node part;

        if (tasks[i] == 0)
            continue;
        step_node_init(&part);
        step_gres_take(&gres, place, use, tasks[i], --behind, &part);
        fits = place->memory == MB_UNSET || part.gres_n == 0 ||
               (use ? use->memory_mb : 0) + step_memory_of(want, place, &part) <= place->memory;
        step_node_clear(&part);
    }
    return fits;
}

int step_want_check(const struct job *job, const struct step_want *want, struct err *err)
{
    AUTO_FREE struct layout_node *nodes = NULL;
    AUTO_FREE uint32_t *tasks = xcalloc(job->rec.nodes_n, sizeof(*tasks));
    int rc;

    if (want->ask.ntasks == 0 || want->ask.ntasks > STEP_TASKS_MAX)
        return err_set(err, E_TASK_COUNT, "Task count specification invalid: %u (1 to %u)",
                       want->ask.ntasks, STEP_TASKS_MAX);
    if (want->threads_per_core > job->rec.spec->threads_per_core)
        return err_set(err, E_THREADS, "%s", err_string(E_THREADS));
    rc = check_nodes(job, want, err);
    if (rc == 0)
        rc = check_listed(want, err);
    if (rc == 0)
        rc = step_gres_check(&want->gres, job, want->ask.min_nodes, want->ask.ntasks, err);
    if (rc < 0)
        return rc;
    nodes = offer(job, want, NULL);
    if (!layout_make(&want->ask, nodes, job->rec.nodes_n, tasks))
        return err_set(err, E_TOO_MANY_CPUS,
                       "More processors requested than permitted: %u tasks with %u cpus each on %u "
                       "nodes, job %u has %u cpus on %u nodes",
                       want->ask.ntasks, want->ask.cpus_per_task, want->ask.min_nodes, job->rec.id,
                       job->rec.ncpus, job->rec.nodes_n);
    if (!memory_suffices(job, want, NULL, tasks))
        return err_set(err, E_MEMORY, "%s: %" PRIu64 " MB for each gpu wanted",
                       err_string(E_MEMORY), want->mem_per_gpu);
    return 0;
}

bool step_fits(const struct job *job, const struct step_want *want, const struct step_use *uses,
               uint32_t *ret_tasks)
{
    AUTO_FREE struct layout_node *nodes = offer(job, want, uses);

    return layout_make(&want->ask, nodes, job->rec.nodes_n, ret_tasks) &&
           step_gres_suffice(&want->gres, job, want->overlap ? NULL : uses, ret_tasks) &&
           memory_suffices(job, want, uses, ret_tasks);
}
