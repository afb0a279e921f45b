/* What is open in what a step asks for follows from what is given, and from its job. */
#include "ctld/control/step/want.h"

#include <string.h>

#include "common/text/hostlist.h"
#include "ctld/control/act/per_node.h"
#include "ctld/control/act/state.h"
#include "ctld/control/step/gres.h"

static uint32_t given(uint32_t count, uint32_t otherwise)
{
    return count == COUNT_UNSET ? otherwise : count;
}

static int read_gres(const struct step_spec *spec, struct step_request *ret, struct err *err)
{
    const struct {
        const char *text;
        struct gres_list *list;
    } lists[] = {
        { spec->tres_per_node, &ret->per_node },
        { spec->tres_per_step, &ret->per_step },
        { spec->tres_per_task, &ret->per_task },
        { spec->tres_per_socket, &ret->per_socket },
    };
    struct err why = { 0 };

    for (size_t i = 0; i < ARRAY_N(lists); i++) {
        if (gres_parse(lists[i].text, lists[i].list, &why) < 0)
            return err_set(err, E_GRES, "%s: %s", err_string(E_GRES), why.text);
    }
    return 0;
}

/* Reads --exclude. A name that is no node's is refused in a new step; from one that waits a new
 * configuration may have taken the node, which it then avoids all the same. */
static int read_excluded(const struct model *model, const struct step_spec *spec, bool is_new,
                         struct step_request *ret, struct err *err)
{
    if (!spec->exc_nodes)
        return 0;
    if (is_new)
        return model_node_set(model, spec->exc_nodes, &ret->excluded, err);
    return model_known_nodes(model, spec->exc_nodes, &ret->excluded, err);
}

static int read_required(const struct model *model, const struct step_spec *spec,
                         struct step_request *ret, struct err *err)
{
    AUTO(hostlist) struct hostlist *names = NULL;
    int rc = 0;

    if (spec->req_nodes)
        rc = model_node_set(model, spec->req_nodes, &ret->required, err);
    if (rc == -E_NODE_NAME) /* Slurm says the same of it as of a node that is not the job's */
        rc = err_set(err, E_NODE_CONFIG, "%s", err_string(E_NODE_CONFIG));
    if (rc < 0 || !spec->req_nodes || spec->distribution != DIST_ARBITRARY)
        return rc;
    hostlist_parse(spec->req_nodes, &names, NULL);
    for (uint32_t i = 0; i < hostlist_count(names); i++)
        *ARRAY_PUSH(ret->listed, ret->listed_n) =
            model_find_node(model, hostlist_get(names, i))->index;
    return 0;
}

static int read_request(const struct model *model, const struct step_spec *spec, bool is_new,
                        struct step_request *ret, struct err *err)
{
    const struct {
        const char *option;
        uint32_t count;
        int code;
    } counts[] = {
        { "--ntasks", spec->ntasks, E_TASK_COUNT },
        { "--ntasks-per-node", spec->ntasks_per_node, E_TASK_COUNT },
        { "--ntasks-per-gpu", spec->ntasks_per_gpu, E_TASK_COUNT },
        { "--cpus-per-task", spec->cpus_per_task, E_TOO_MANY_CPUS },
        { "--cpus-per-gpu", spec->cpus_per_gpu, E_TOO_MANY_CPUS },
        { "--distribution=plane", spec->plane_size, E_DISTRIBUTION },
    };
    int rc;

    for (size_t i = 0; i < ARRAY_N(counts); i++) {
        if (counts[i].count == 0)
            return err_set(err, counts[i].code, "%s: %s is 0, not at least 1",
                           err_string(counts[i].code), counts[i].option);
    }
    if (read_gres(spec, ret, err) < 0)
        return -E_GRES;
    rc = read_excluded(model, spec, is_new, ret, err);
    return rc < 0 ? rc : read_required(model, spec, ret, err);
}

int step_request_read(const struct model *model, const struct step_spec *spec,
                      struct step_request *ret, struct err *err)
{
    return read_request(model, spec, true, ret, err);
}

void job_read_step_requests(const struct model *model, struct job *job)
{
    for (struct step *step = job->live; step; step = step->live_next) {
        struct err why = { 0 };

        if (step->rec.state != STEP_PENDING || !step->rec.spec)
            continue;
        step_request_clear(&step->request);
        if (read_request(model, step->rec.spec, false, &step->request, &why) < 0)
            step->request.unreadable = xstrdup(why.text);
    }
}

/* Returns how many gpus of the job the step asks for, or all of them if it does not say. */
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

/* Returns how many tasks are asked for, by --ntasks-per-gpu where no number is given. */
static uint32_t tasks_of(const struct job *job, const struct step_spec *spec,
                         const struct step_gres *gres)
{
    const uint32_t each = given(spec->ntasks_per_gpu, 0);
    const uint64_t gpus = each && spec->ntasks == COUNT_UNSET ? gpus_of(job, gres) : 0;

    return gpus && gpus <= STEP_TASKS_MAX / each ? (uint32_t)gpus * each : spec->ntasks;
}

/*
 * True if the step fills its nodes, as with Slurm: it says how large a task is, but not how many.
 * Only all of the job's nodes are filled: for some of them Slurm counts the cpus of all, and
 * refuses its own count.
 */
static bool fills(const struct job *job, const struct step_spec *spec, const struct step_want *want)
{
    const uint32_t min = given(spec->min_nodes, 0);

    return spec->cpus_per_task != COUNT_UNSET && spec->ntasks_per_node == COUNT_UNSET &&
           !want->ask.as_listed && (min == 0 || min == job->rec.nodes_n);
}

/* Returns how many tasks fill the job's nodes; COUNT_UNSET: not one task would fit. */
static uint32_t tasks_that_fill(const struct job *job, const struct step_want *want,
                                uint32_t cpus_per_task)
{
    uint32_t tasks = 0;

    for (uint32_t i = 0; i < job->rec.nodes_n && cpus_per_task; i++)
        tasks += place_cpus(want->model, job->nodes[i], &job->rec.nodes[i], want->threads_per_core,
                            NULL) /
                 cpus_per_task;
    return tasks ? tasks : COUNT_UNSET;
}

/* Decides how many nodes and tasks the step has: what is open follows from what is given. */
static void decide_counts(const struct job *job, const struct step_spec *spec,
                          struct step_want *want)
{
    const uint32_t each = given(spec->ntasks_per_node, 0);
    const uint32_t named = bitset_count(&want->request->required);
    uint32_t ntasks = tasks_of(job, spec, &want->gres);
    uint32_t min = given(spec->min_nodes, 0), max = given(spec->max_nodes, 0);

    if (ntasks == COUNT_UNSET && fills(job, spec, want))
        ntasks = tasks_that_fill(job, want, spec->cpus_per_task);
    if (min == 0 && named)
        min = named;
    /* A step that says nothing of tasks has one on each of as many nodes as it may have. */
    if (ntasks == COUNT_UNSET && (min == 0 || max > min)) {
        const uint32_t all = want->first < job->rec.nodes_n ? job->rec.nodes_n - want->first : 1;
        const uint32_t most = max && max < all ? max : all;

        min = most > min ? most : min;
    }
    if (min == 0 && max == 0)
        max = ntasks < job->rec.nodes_n ? ntasks : job->rec.nodes_n;
    if (min == 0)
        min = each ? (ntasks + each - 1) / each : 1;
    want->ask.min_nodes = min ? min : 1;
    want->ask.max_nodes = max > want->ask.min_nodes ? max : want->ask.min_nodes;
    want->ask.ntasks_per_node = each;
    if (want->ask.as_listed)
        want->ask.ntasks = given(ntasks, want->request->listed_n);
    else
        want->ask.ntasks = given(ntasks, want->ask.min_nodes * (each ? each : 1));
    if (want->ask.ntasks < want->ask.min_nodes)
        want->ask.min_nodes = want->ask.ntasks;
}

/* Returns how many cpus a task has. --cpus-per-gpu says that of a task with gpus of its own. */
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

    if (spec->distribution == DIST_PLANE)
        return DEAL_PLANES;
    if (spec->pack == PACK_NODES || (packs && spec->pack != PACK_NO_NODES))
        return DEAL_PACKED;
    return DEAL_EVENLY;
}

struct step_want step_want_of(const struct control *control, const struct job *job,
                              const struct step_spec *spec, const struct step_request *request)
{
    struct step_want want = {
        .overlap = spec->overlap,
        .whole = !spec->exact && spec->cpus_per_task == COUNT_UNSET,
        .first = given(spec->relative, 0),
        .mem_per_node = spec->mem_per_node,
        .mem_per_cpu = spec->mem_per_cpu,
        .threads_per_core = given(spec->threads_per_core, 0),
        .distribution = (enum distribution)spec->distribution,
        .request = request,
        .model = control->model,
    };

    want.ask.overcommit = spec->overcommit;
    want.ask.deal = deal_of(control, spec);
    want.ask.plane_size = given(spec->plane_size, 1);
    want.ask.as_listed = spec->distribution == DIST_ARBITRARY;
    step_gres_of(job, spec, request, &want.gres);
    want.ask.cpus_per_task = cpus_per_task(spec, &want.gres);
    want.mem_per_gpu = spec->mem_per_gpu == MB_UNSET ? 0 : spec->mem_per_gpu;
    decide_counts(job, spec, &want);
    return want;
}

void step_want_auto_(struct step_want *want)
{
    step_gres_clear(&want->gres);
}
