/* The rules are told in step_fit.h. */
#include "ctld/control/step_fit.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "common/text/hostlist.h"

#define TASKS_MAX (1u << 20)

static uint32_t given(uint32_t count, uint32_t otherwise)
{
    return count == COUNT_UNSET ? otherwise : count;
}

static uint32_t nodes_for(uint32_t ntasks, uint32_t each)
{
    return each ? (ntasks + each - 1) / each : 1;
}

/* Gpus of the job, or as many of them as the step asks for. */
static uint64_t gpus_of(const struct job *job, const struct step_gres *gres)
{
    uint64_t has = 0, asked = gres_count(&gres->in_all, "gpu", NULL);

    for (uint32_t i = 0; i < job->rec.nodes_n; i++) {
        const struct job_node *place = &job->rec.nodes[i];

        for (uint32_t k = 0; k < place->gres_n; k++)
            has += strcmp(place->gres[k].name, "gpu") == 0 ? place->gres[k].count : 0;
    }
    if (!gres->as_job && !asked)
        asked = gres_count(&gres->per_node, "gpu", NULL) * job->rec.nodes_n;
    return asked && asked < has ? asked : has;
}

/* Where no number of tasks is given, --ntasks-per-gpu may tell it. */
static uint32_t tasks_of(const struct job *job, const struct step_spec *spec,
                         const struct step_gres *gres)
{
    const uint32_t each = given(spec->ntasks_per_gpu, 0);
    const uint64_t gpus = each && spec->ntasks == COUNT_UNSET ? gpus_of(job, gres) : 0;

    return gpus && gpus <= TASKS_MAX / each ? (uint32_t)gpus * each : spec->ntasks;
}

/* Nodes and tasks: what is open follows from what is given. */
static void decide_counts(const struct job *job, const struct step_spec *spec,
                          struct step_want *want)
{
    const uint32_t ntasks = tasks_of(job, spec, &want->gres);
    const uint32_t each = given(spec->ntasks_per_node, 0);
    const uint32_t named = hostlist_count_names(spec->req_nodes, true);
    uint32_t min = given(spec->min_nodes, 0), max = given(spec->max_nodes, 0);

    if (min == 0 && named)
        min = named;
    /* With nothing said of tasks, one on each of as many nodes as the step may have. */
    if (ntasks == COUNT_UNSET && (min == 0 || max > min)) {
        const uint32_t all = want->first < job->rec.nodes_n ? job->rec.nodes_n - want->first : 1;
        const uint32_t most = max && max < all ? max : all;

        min = most > min ? most : min;
    }
    if (min == 0 && max == 0)
        max = ntasks < job->rec.nodes_n ? ntasks : job->rec.nodes_n;
    if (min == 0)
        min = nodes_for(ntasks, each);
    want->ask.min_nodes = min ? min : 1;
    want->ask.max_nodes = max > want->ask.min_nodes ? max : want->ask.min_nodes;
    want->ask.ntasks_per_node = each;
    if (want->ask.as_listed)
        want->ask.ntasks = given(ntasks, hostlist_count_names(spec->req_nodes, false));
    else
        want->ask.ntasks = given(ntasks, want->ask.min_nodes * (each ? each : 1));
    if (want->ask.ntasks < want->ask.min_nodes)
        want->ask.min_nodes = want->ask.ntasks;
}

/* --cpus-per-gpu says how many cpus a task has that has gpus of its own. */
static uint32_t cpus_per_task(const struct step_spec *spec, const struct step_gres *gres)
{
    const uint64_t gpus = gres_count(&gres->per_task, "gpu", NULL);

    if (spec->cpus_per_task != COUNT_UNSET)
        return spec->cpus_per_task;
    if (spec->cpus_per_gpu == COUNT_UNSET || gpus == 0)
        return 1;
    return gpus <= UINT32_MAX / (spec->cpus_per_gpu | 1) ? (uint32_t)gpus * spec->cpus_per_gpu
                                                         : UINT32_MAX;
}

static enum deal deal_of(const struct control *control, const struct step_spec *spec)
{
    const bool packs = control->model->config.select & SELECT_PACK_NODES;

    if (spec->distribution == DISTRIBUTION_PLANE)
        return DEAL_PLANES;
    if (spec->pack == STEP_PACK_NODES || (packs && spec->pack != STEP_PACK_NO_NODES))
        return DEAL_PACKED;
    return DEAL_EVENLY;
}

struct step_want step_want_of(const struct control *control, const struct job *job,
                              const struct step_spec *spec)
{
    struct step_want want = {
        .overlap = spec->overlap,
        .whole = !spec->exact && !spec->overlap && spec->cpus_per_task == COUNT_UNSET,
        .first = given(spec->relative, 0),
        .mem_per_node = spec->mem_per_node,
        .mem_per_cpu = spec->mem_per_cpu,
        .threads_per_core = given(spec->threads_per_core, 0),
        .req_nodes = spec->req_nodes,
        .exc_nodes = spec->exc_nodes,
        .distribution = (enum step_distribution)spec->distribution,
    };

    want.ask.overcommit = spec->overcommit;
    want.ask.deal = deal_of(control, spec);
    want.ask.plane_size = given(spec->plane_size, 1);
    want.ask.as_listed = spec->distribution == DISTRIBUTION_ARBITRARY;
    step_gres_of(job, spec, &want.gres);
    want.ask.cpus_per_task = cpus_per_task(spec, &want.gres);
    want.mem_per_gpu = spec->mem_per_gpu == MB_UNSET ? 0 : spec->mem_per_gpu;
    decide_counts(job, spec, &want);
    return want;
}

void step_want_auto_(struct step_want *want)
{
    step_gres_clear(&want->gres);
}

/* Memory that the step would have on a node where it gets so many cpus; MB_UNSET: not shared out.
 */
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

static uint32_t gres_room(const struct step_want *want, const struct job_node *place,
                          const struct step_use *use)
{
    return step_gres_room(&want->gres, place, want->overlap ? NULL : use);
}

static uint32_t cpus_offered(const struct step_want *want, const struct job_node *place,
                             const struct step_use *use)
{
    uint32_t used = use && !want->overlap ? bitset_count(&use->cpus) : 0;

    if (want->whole && used > 0)
        return 0;
    return used < place->cpus_n ? place->cpus_n - used : 0;
}

static bool is_named(const char *hosts, const char *name)
{
    AUTO(hostlist) struct hostlist *names = NULL;

    return hosts && hostlist_parse(hosts, &names, NULL) == 0 && hostlist_find(names, name) >= 0;
}

/* How often each node of the job is listed. */
static void count_listed(const struct job *job, const char *hosts, struct layout_node *nodes)
{
    AUTO(hostlist) struct hostlist *names = NULL;

    if (!hosts || hostlist_parse(hosts, &names, NULL) < 0)
        return;
    for (uint32_t i = 0; i < hostlist_count(names); i++) {
        const int64_t at = job_position(job, hostlist_get(names, i));

        if (at >= 0)
            nodes[at].listed++;
    }
}

/* The job's nodes as they are offered; with uses NULL, as if no other step ran. */
static struct layout_node *offer(const struct job *job, const struct step_want *want,
                                 const struct step_use *uses)
{
    struct layout_node *nodes = xcalloc(job->rec.nodes_n, sizeof(*nodes));

    count_listed(job, want->req_nodes, nodes);
    for (uint32_t i = 0; i < job->rec.nodes_n; i++) {
        const struct job_node *place = &job->rec.nodes[i];
        const struct step_use *use = uses ? &uses[i] : NULL;

        nodes[i].cpus = cpus_offered(want, place, use);
        nodes[i].most_tasks = gres_room(want, place, use);
        nodes[i].barred = place->clean || i < want->first ||
                          is_named(want->exc_nodes, place->name) || !has_memory(want, place, use);
        /* Overcommitted tasks share cpus among themselves, not with another step. */
        if (nodes[i].cpus == 0)
            nodes[i].barred = true;
    }
    return nodes;
}

static int check_nodes(const struct job *job, const struct step_want *want, struct err *err)
{
    AUTO(hostlist) struct hostlist *names = NULL;

    if (want->first > 0 && want->first + want->ask.min_nodes > job->rec.nodes_n)
        return err_set(err, E_NODE_COUNT,
                       "--relative and --nodes option incompatible with count of allocated nodes "
                       "(%u+%u>%u)",
                       want->first, want->ask.min_nodes, job->rec.nodes_n);
    if (want->ask.min_nodes > job->rec.nodes_n)
        return err_set(err, E_NODE_COUNT, "Only allocated %u nodes asked for %u", job->rec.nodes_n,
                       want->ask.min_nodes);
    if (want->req_nodes && hostlist_parse(want->req_nodes, &names, err) < 0)
        return err_prefix(err, "node list");
    for (uint32_t i = 0; names && i < hostlist_count(names); i++) {
        if (job_position(job, hostlist_get(names, i)) < 0)
            return err_set(err, E_NODE_CONFIG,
                           "Requested node configuration is not available: job %u has no node %s",
                           job->rec.id, hostlist_get(names, i));
    }
    return 0;
}

static int check_listed(const struct step_want *want, struct err *err)
{
    const uint32_t listed = hostlist_count_names(want->req_nodes, false);

    if (!want->ask.as_listed || listed == want->ask.ntasks)
        return 0;
    return err_set(err, E_DISTRIBUTION,
                   "%s: arbitrary wants a node name in --nodelist for each of %u tasks, not %u",
                   err_string(E_DISTRIBUTION), want->ask.ntasks, listed);
}

/* Memory for the gpus that the step has on a node; else what it would have anyway. */
static uint64_t memory_of(const struct step_want *want, const struct job_node *place,
                          const struct step_node *part)
{
    const uint64_t gpus = is_by_gpus(want) ? step_gres_gpus(part->gres, part->gres_n) : 0;

    if (place->memory == MB_UNSET || gpus == 0)
        return memory_for(want, place, part->cpus_n);
    return gpus <= place->memory / want->mem_per_gpu ? gpus * want->mem_per_gpu : place->memory + 1;
}

/* Gives out the gpus for a try, where memory hangs on them; with uses NULL, as if no other step
 * ran. */
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
               (use ? use->memory_mb : 0) + memory_of(want, place, &part) <= place->memory;
        step_node_clear(&part);
    }
    return fits;
}

int step_want_check(const struct job *job, const struct step_want *want, struct err *err)
{
    AUTO_FREE struct layout_node *nodes = NULL;
    AUTO_FREE uint32_t *tasks = xcalloc(job->rec.nodes_n, sizeof(*tasks));
    int rc;

    if (want->ask.ntasks == 0 || want->ask.ntasks > TASKS_MAX)
        return err_set(err, E_TASK_COUNT, "Task count specification invalid: %u (1 to %u)",
                       want->ask.ntasks, TASKS_MAX);
    if (want->ask.cpus_per_task == 0)
        return err_set(err, E_TOO_MANY_CPUS, "Invalid number of cpus for each task: 0");
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

/* Free cpus of the job on a node, lowest first; whole cores where cores are what is given out. */
static void take_cpus(const struct control *control, const struct job *job, uint32_t position,
                      const struct step_want *want, const struct step_use *use, uint32_t tasks,
                      struct step_node *ret)
{
    const struct job_node *place = &job->rec.nodes[position];
    const struct node *node = model_node(control->model, job->nodes[position]);
    const uint32_t threads = node ? node->conf->threads_per_core : 1;
    const bool cores = control->model->config.select & (SELECT_CORE | SELECT_SOCKET);
    uint32_t needed =
        want->whole || want->overlap ? place->cpus_n : tasks * want->ask.cpus_per_task;

    if (want->overlap && want->ask.cpus_per_task * tasks < needed)
        needed = want->ask.cpus_per_task * tasks;
    for (uint32_t i = 0; i < place->cpus_n; i++) {
        const uint32_t cpu = place->cpus[i];
        const bool same_core =
            cores && ret->cpus_n > 0 && ret->cpus[ret->cpus_n - 1] / threads == cpu / threads;

        if (ret->cpus_n >= needed && !same_core)
            break;
        if (!want->overlap && bitset_has(&use->cpus, cpu))
            continue;
        *ARRAY_PUSH(ret->cpus, ret->cpus_n) = cpu;
    }
}

static void add_task(struct step_node *node, uint32_t number)
{
    *ARRAY_PUSH(node->tasks, node->tasks_n) = number;
}

/* How many tasks that follow one another a node gets, until it is the next one's turn. */
static uint32_t tasks_in_a_row(const struct step_want *want)
{
    if (want->distribution == DISTRIBUTION_PLANE)
        return want->ask.plane_size;
    return want->distribution == DISTRIBUTION_CYCLIC ? 1 : UINT32_MAX;
}

static void number_in_turn(struct step_record *rec, const uint32_t *tasks_of, uint32_t in_a_row)
{
    uint32_t next = 0;
    bool more = true;

    while (more) {
        more = false;
        for (uint32_t i = 0; i < rec->nodes_n; i++) {
            struct step_node *node = &rec->nodes[i];

            for (uint32_t k = 0; k < in_a_row && node->tasks_n < tasks_of[i]; k++)
                add_task(node, next++);
            more = more || node->tasks_n < tasks_of[i];
        }
    }
}

static void number_as_listed(struct step_record *rec, const char *hosts)
{
    AUTO(hostlist) struct hostlist *names = NULL;

    if (!hosts || hostlist_parse(hosts, &names, NULL) < 0)
        return;
    for (uint32_t number = 0; number < hostlist_count(names); number++) {
        for (uint32_t i = 0; i < rec->nodes_n; i++) {
            if (strcmp(rec->nodes[i].name, hostlist_get(names, number)) == 0)
                add_task(&rec->nodes[i], number);
        }
    }
}

static void add_node(const struct control *control, const struct job *job, uint32_t position,
                     const struct step_want *want, const struct step_use *use, uint32_t tasks,
                     struct step_record *rec)
{
    const struct job_node *place = &job->rec.nodes[position];
    const struct node *node = model_node(control->model, job->nodes[position]);
    struct step_node *part = ARRAY_PUSH(rec->nodes, rec->nodes_n);

    step_node_init(part);
    part->name = xstrdup(place->name);
    part->state = STEP_STARTING;
    part->boot_id = node ? xstrdup(node->rec.boot_id) : NULL;
    take_cpus(control, job, position, want, use, tasks, part);
    rec->ncpus += part->cpus_n;
}

static void take_gres(const struct job *job, struct step_want *want, const struct step_use *uses,
                      const uint32_t *tasks, struct step_record *rec)
{
    uint32_t taken = 0;

    for (uint32_t i = 0; i < job->rec.nodes_n; i++) {
        if (tasks[i] == 0)
            continue;
        step_gres_take(&want->gres, &job->rec.nodes[i], want->overlap ? NULL : &uses[i], tasks[i],
                       rec->nodes_n - taken - 1, &rec->nodes[taken]);
        rec->nodes[taken].memory = memory_of(want, &job->rec.nodes[i], &rec->nodes[taken]);
        taken++;
    }
}

void step_place(const struct control *control, struct step *step, struct step_want *want,
                const struct step_use *uses, const uint32_t *tasks)
{
    struct job *job = step->job;
    struct step_record *rec = &step->rec;
    AUTO(hostlist) struct hostlist *names = hostlist_new();
    AUTO_FREE uint32_t *tasks_of = xcalloc(job->rec.nodes_n, sizeof(*tasks_of));

    for (uint32_t i = 0; i < job->rec.nodes_n; i++) {
        if (tasks[i] == 0)
            continue;
        tasks_of[rec->nodes_n] = tasks[i];
        add_node(control, job, i, want, &uses[i], tasks[i], rec);
        hostlist_add(names, job->rec.nodes[i].name);
    }
    take_gres(job, want, uses, tasks, rec);
    if (want->ask.as_listed)
        number_as_listed(rec, want->req_nodes);
    else
        number_in_turn(rec, tasks_of, tasks_in_a_row(want));
    rec->node_list = hostlist_format(names);
    rec->ntasks = want->ask.ntasks;
    rec->cpus_per_task = want->ask.cpus_per_task;
}
