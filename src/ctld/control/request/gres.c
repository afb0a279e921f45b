/* Generic resources and licenses that a job asks for: do they exist, and do the numbers agree. */
#include "ctld/control/request/spec.h"

#include <inttypes.h>
#include <string.h>

#include "common/text/gres.h"
#include "common/text/licenses.h"
#include "ctld/model/license.h"

/* Fails with E_GRES. The text is the reason alone: commands print it, and what its code means on a
 * line of its own. */
static int err_gres(struct err *err, const char *why)
{
    return err_set(err, E_GRES, "%s", why);
}

/* Fails in these very words of Slurm, which tools wait for. */
static int err_job_spec(struct err *err, const char *why)
{
    return err_set(err, E_GRES, "Failed to validate job spec%s", why);
}

/* ---- one list ---- */

static int err_unknown(const struct model *model, const char *name, struct err *err)
{
    AUTO(strbuf) struct strbuf types = { 0 };

    for (uint32_t i = 0; i < model->config.gres_types_n; i++)
        strbuf_addf(&types, "%s%s", i ? "," : "", model->config.gres_types[i]);
    return err_set(err, E_GRES, "%s: there is no '%s', GresTypes=%s", err_string(E_GRES), name,
                   strbuf_text(&types));
}

static bool is_known(const struct model *model, const char *name)
{
    for (uint32_t i = 0; i < model->config.gres_types_n; i++)
        if (strcmp(model->config.gres_types[i], name) == 0)
            return true;
    return false;
}

/* Reads a list of GRES. To ask for 0 of one that does not exist is fine. */
int spec_read_gres(const struct model *model, const char *text, struct gres_list *ret,
                   struct err *err)
{
    struct err why = { 0 };

    if (gres_parse(text, ret, &why) < 0)
        return err_set(err, E_GRES, "%s: %s", err_string(E_GRES), why.text);
    for (uint32_t i = 0; i < ret->n; i++)
        if (ret->at[i].count > 0 && !is_known(model, ret->at[i].name))
            return err_unknown(model, ret->at[i].name, err);
    return 0;
}

/* Reads one list of the spec and writes it anew in its one form. */
static int read_list(const struct model *model, char **text, struct gres_list *ret, struct err *err)
{
    int rc = spec_read_gres(model, *text, ret, err);

    if (rc < 0)
        return rc;
    free(*text);
    *text = gres_format(ret);
    return 0;
}

/* ---- all lists together ---- */

struct wants {
    struct gres_list job, node, socket, task;
    uint64_t gpus_job, gpus_node, gpus_socket, gpus_task; /* 0: not asked */
};

static void wants_clear(struct wants *wants)
{
    gres_clear(&wants->job);
    gres_clear(&wants->node);
    gres_clear(&wants->socket);
    gres_clear(&wants->task);
}

static int read_wants(const struct model *model, struct job_spec *spec, struct wants *wants,
                      struct err *err)
{
    int rc = read_list(model, &spec->tres_per_job, &wants->job, err);

    if (rc == 0)
        rc = read_list(model, &spec->tres_per_node, &wants->node, err);
    if (rc == 0)
        rc = read_list(model, &spec->tres_per_socket, &wants->socket, err);
    if (rc == 0)
        rc = read_list(model, &spec->tres_per_task, &wants->task, err);
    wants->gpus_job = gres_count(&wants->job, "gpu", NULL);
    wants->gpus_node = gres_count(&wants->node, "gpu", NULL);
    wants->gpus_socket = gres_count(&wants->socket, "gpu", NULL);
    wants->gpus_task = gres_count(&wants->task, "gpu", NULL);
    return rc;
}

static bool has_gpus(const struct wants *wants)
{
    return wants->gpus_job || wants->gpus_node || wants->gpus_socket || wants->gpus_task;
}

/* Refuses any gpu and a certain gpu in one job: what it then holds would be unclear. */
static int check_types(const struct wants *wants, struct err *err)
{
    const struct gres_list *const lists[] = { &wants->job, &wants->node, &wants->socket,
                                              &wants->task };
    AUTO(gres) struct gres_list all = { 0 };

    for (size_t l = 0; l < ARRAY_N(lists); l++)
        for (uint32_t i = 0; i < lists[l]->n; i++)
            gres_add(&all, lists[l]->at[i].name, lists[l]->at[i].type, 1);
    for (uint32_t i = 0; i < all.n; i++)
        for (uint32_t k = 0; k < all.n; k++)
            if (!all.at[i].type && all.at[k].type && strcmp(all.at[i].name, all.at[k].name) == 0)
                return err_gres(err, "Invalid GRES specification (with and without type "
                                     "identification)");
    return 0;
}

/* Refuses options that need another one which is missing, or that exclude each other. */
static int check_companions(const struct job_spec *spec, const struct wants *wants, struct err *err)
{
    const bool per_gpu = count_is_set(spec->ntasks_per_gpu);

    if (wants->gpus_socket && !count_is_set(spec->sockets_per_node))
        return err_gres(err, "--gpus-per-socket option requires --sockets-per-node specification");
    if (wants->gpus_task && !wants->gpus_job && !count_is_set(spec->ntasks) &&
        !count_is_set(spec->min_nodes) && !count_is_set(spec->ntasks_per_node))
        return err_job_spec(err, ". --gpus-per-task used without either --gpus or -n/--ntasks is "
                                 "not allowed.");
    if (count_is_set(spec->cpus_per_gpu) && count_is_set(spec->cpus_per_task))
        return err_gres(err, "--cpus-per-gpu is mutually exclusive with --cpus-per-task");
    if (spec->mem_per_gpu != MB_UNSET && !has_gpus(wants))
        return err_set(err, E_GRES,
                       "Requested mem_per_tres=gres/gpu:%" PRIu64 " but did not request any GPU.",
                       spec->mem_per_gpu);
    if (per_gpu && wants->gpus_task)
        return err_gres(err, "--gpus-per-task is mutually exclusive with --ntasks-per-gpu");
    if (per_gpu && wants->gpus_socket)
        return err_gres(err, "--gpus-per-socket is mutually exclusive with --ntasks-per-gpu");
    if (per_gpu && count_is_set(spec->ntasks_per_node))
        return err_gres(err, "--ntasks-per-node is mutually exclusive with --ntasks-per-gpu");
    if (per_gpu && !has_gpus(wants) && !count_is_set(spec->ntasks))
        return err_gres(err, "--ntasks-per-gpu needs either a number of gpus or of tasks");
    return 0;
}

/* ---- what the numbers say about nodes and tasks ---- */

static int set_tasks(struct job_spec *spec, uint64_t gpus, uint64_t each, struct err *err)
{
    if (gpus > SPEC_TASKS_MAX || each > SPEC_TASKS_MAX || gpus * each > SPEC_TASKS_MAX)
        return err_set(err, E_TASK_COUNT, "%s: the number of gpus makes them more than %u",
                       err_string(E_TASK_COUNT), SPEC_TASKS_MAX);
    spec->ntasks = (uint32_t)(gpus * each);
    return 0;
}

static bool is_less(uint64_t whole, uint64_t part)
{
    return whole && whole < part;
}

/* Refuses less for a larger thing than for a smaller one that it holds. */
static int check_nesting(const struct wants *wants, struct err *err)
{
    if (is_less(wants->gpus_job, wants->gpus_node) ||
        is_less(wants->gpus_job, wants->gpus_socket) ||
        is_less(wants->gpus_node, wants->gpus_socket) || is_less(wants->gpus_job, wants->gpus_task))
        return err_gres(err, "Failed to ensure --gpus >= --gres=gpu/--gpus-per-node >= "
                             "--gpus-per-socket");
    if (is_less(wants->gpus_node, wants->gpus_task))
        return err_gres(err, "Failed to ensure --gpus >= --gpus-per-task");
    return 0;
}

static int err_nodes(const struct job_spec *spec, uint64_t nodes, struct err *err)
{
    return err_set(err, E_GRES,
                   "Failed to validate job spec. Based on --gpu and --gres=gpu/--gpus-per-node "
                   "required nodes (%" PRIu64 ") doesn't fall between min_nodes (%u) and "
                   "max_nodes (%u) boundaries.",
                   nodes, count_is_set(spec->min_nodes) ? spec->min_nodes : 1,
                   count_is_set(spec->max_nodes) ? spec->max_nodes : SPEC_NODES_MAX);
}

static int fill_by_node(struct job_spec *spec, const struct wants *wants, struct err *err)
{
    const uint64_t nodes = wants->gpus_job / (wants->gpus_node ? wants->gpus_node : 1);

    if (count_is_set(spec->min_nodes) && is_less(wants->gpus_job, spec->min_nodes))
        return err_job_spec(err, ", --gpus < -N");
    if (!wants->gpus_job || !wants->gpus_node)
        return 0;
    if (wants->gpus_job % wants->gpus_node)
        return err_job_spec(err, ", --gpus is not multiple of --gres=gpu/--gpus-per-node");
    if ((count_is_set(spec->min_nodes) && nodes < spec->min_nodes) ||
        (count_is_set(spec->max_nodes) && nodes > spec->max_nodes) || nodes > SPEC_NODES_MAX)
        return err_nodes(spec, nodes, err);
    spec->min_nodes = (uint32_t)nodes;
    spec->max_nodes = (uint32_t)nodes;
    return 0;
}

static int check_by_socket(const struct job_spec *spec, const struct wants *wants, struct err *err)
{
    if (!wants->gpus_socket || !wants->gpus_node)
        return 0;
    if (wants->gpus_node % wants->gpus_socket)
        return err_job_spec(err, ", --gres=gpu/--gpus-per-node not multiple of "
                                 "--gpus-per-socket.");
    if (wants->gpus_node / wants->gpus_socket != spec->sockets_per_node)
        return err_job_spec(err, ". Based on --gres=gpu/--gpus-per-node and --gpus-per-socket "
                                 "required number of sockets differ from --sockets-per-node.");
    return 0;
}

/* Checks the tasks that a node takes, which its gpus and those of a task give: no other number per
 * node, and no more in all. */
static int check_tasks_of_node(const struct job_spec *spec, const struct wants *wants,
                               struct err *err)
{
    const uint64_t tasks = wants->gpus_node / wants->gpus_task;

    if (!wants->gpus_node)
        return 0;
    if (wants->gpus_node % wants->gpus_task)
        return err_job_spec(err, ", --gres=gpu/--gpus-per-node not multiple of --gpus-per-task.");
    if (count_is_set(spec->ntasks_per_node) && spec->ntasks_per_node != tasks)
        return err_job_spec(err, ". Based on --gres=gpu/--gpus-per-node and --gpus-per-task "
                                 "requested number of tasks per node differ from "
                                 "--ntasks-per-node.");
    if (count_is_set(spec->ntasks) && count_is_set(spec->max_nodes) &&
        (spec->ntasks - UINT64_C(1)) / tasks >= spec->max_nodes)
        return err_set(err, E_NODE_CONFIG,
                       "%s: a node's gpus are enough for %" PRIu64 " of %u tasks, and --nodes "
                       "allows %u",
                       err_string(E_NODE_CONFIG), tasks, spec->ntasks, spec->max_nodes);
    return 0;
}

static int fill_by_task(struct job_spec *spec, const struct wants *wants, struct err *err)
{
    int rc;

    if (!wants->gpus_task)
        return 0;
    rc = check_tasks_of_node(spec, wants, err);
    if (rc < 0)
        return rc;
    if (wants->gpus_node && !count_is_set(spec->ntasks) && !count_is_set(spec->ntasks_per_node))
        spec->ntasks_per_node = (uint32_t)(wants->gpus_node / wants->gpus_task);
    if (!wants->gpus_job && !wants->gpus_node && !count_is_set(spec->ntasks) &&
        !count_is_set(spec->ntasks_per_node))
        spec->ntasks = spec->min_nodes;
    if (!wants->gpus_job)
        return 0;
    if (wants->gpus_job % wants->gpus_task)
        return err_job_spec(err, ", --gpus not multiple of --gpus-per-task");
    if (count_is_set(spec->ntasks) && spec->ntasks != wants->gpus_job / wants->gpus_task)
        return err_job_spec(err, ". Based on --gpus and --gpus-per-task number of requested tasks "
                                 "differ from -n/--ntasks.");
    return set_tasks(spec, wants->gpus_job / wants->gpus_task, 1, err);
}

/* Sets tasks from gpus with --ntasks-per-gpu, or gpus from tasks where only tasks are given. */
static int fill_by_gpu(const struct model *model, struct job_spec *spec, const struct wants *wants,
                       struct err *err)
{
    const uint32_t each = spec->ntasks_per_gpu;

    if (!count_is_set(each))
        return 0;
    if (each == 0 || each > SPEC_TASKS_MAX)
        return err_set(err, E_TASK_COUNT, "%s: --ntasks-per-gpu %u is not between 1 and %u",
                       err_string(E_TASK_COUNT), each, SPEC_TASKS_MAX);
    if (wants->gpus_job)
        return set_tasks(spec, wants->gpus_job, each, err);
    if (wants->gpus_node)
        return set_tasks(spec, wants->gpus_node,
                         each * (count_is_set(spec->min_nodes) ? (uint64_t)spec->min_nodes : 1),
                         err);
    if (spec->ntasks % each)
        return err_job_spec(err, ", -n/--ntasks has to be a multiple of --ntasks-per-gpu.");
    if (!is_known(model, "gpu"))
        return err_unknown(model, "gpu", err);
    free(spec->tres_per_job);
    spec->tres_per_job = xasprintf("gres/gpu:%u", divide_up(spec->ntasks, each));
    return 0;
}

int spec_fill_gres(const struct model *model, struct job_spec *spec, struct err *err)
{
    struct wants wants = { 0 };
    int rc = read_wants(model, spec, &wants, err);

    if (rc == 0)
        rc = check_types(&wants, err);
    if (rc == 0)
        rc = check_companions(spec, &wants, err);
    if (rc == 0)
        rc = check_nesting(&wants, err);
    if (rc == 0)
        rc = fill_by_node(spec, &wants, err);
    if (rc == 0)
        rc = check_by_socket(spec, &wants, err);
    if (rc == 0)
        rc = fill_by_task(spec, &wants, err);
    if (rc == 0)
        rc = fill_by_gpu(model, spec, &wants, err);
    wants_clear(&wants);
    return rc;
}

/* ---- licenses ---- */

int spec_check_licenses(const struct model *model, const struct job_spec *spec, struct err *err)
{
    AUTO(licenses) struct licenses wanted = { 0 };
    struct err why = { 0 };

    if (licenses_parse(spec->licenses, &wanted, &why) < 0)
        return err_set(err, E_LICENSES, "%s: %s", err_string(E_LICENSES), why.text);
    for (uint32_t i = 0; i < wanted.n; i++) {
        const struct license *one = &wanted.at[i];
        const struct license_info *license = model_find_license(model, one->name);

        if (!license)
            return err_set(err, E_LICENSES, "%s: there is no license '%s'", err_string(E_LICENSES),
                           one->name);
        if (one->count > license->total)
            return err_set(err, E_LICENSES, "%s: %u of '%s', there are %u", err_string(E_LICENSES),
                           one->count, license->name, license->total);
    }
    return 0;
}
