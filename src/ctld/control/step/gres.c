#include "ctld/control/step/gres.h"

#include <inttypes.h>
#include <string.h>

#include "ctld/control/step/use.h"

/* ---- what is wanted ---- */

/* Adds all that the job got of what was asked for by socket. Which sockets a step uses is not
 * decided here, as in Slurm. */
static void add_by_socket(const struct gres_list *list, struct gres_list *per_node)
{
    for (uint32_t i = 0; i < list->n; i++)
        gres_add(per_node, list->at[i].name, list->at[i].type, GRES_COUNT_MAX);
}

void step_gres_of(const struct job *job, const struct step_spec *spec,
                  const struct step_request *request, struct step_gres *ret)
{
    *ret = (struct step_gres){ 0 };
    if (spec->no_gres)
        return;
    ret->as_job =
        spec->gres_as_job || (!spec->tres_per_node && !spec->tres_per_step && !spec->tres_per_task);
    ret->needs_gpus = spec->cpus_per_gpu != COUNT_UNSET || spec->mem_per_gpu != MB_UNSET ||
                      spec->ntasks_per_gpu != COUNT_UNSET;
    if (ret->as_job && !spec->gres_as_job && spec->tres_per_socket) {
        gres_add_list(&ret->per_socket, &request->per_socket);
        add_by_socket(&request->per_socket, &ret->per_node);
    } else if (ret->as_job) {
        gres_add_list(&ret->per_node, &job->request.per_node);
        gres_add_list(&ret->in_all, &job->request.per_job);
        gres_add_list(&ret->per_task, &job->request.per_task);
        add_by_socket(&job->request.per_socket, &ret->per_node);
    } else {
        gres_add_list(&ret->per_node, &request->per_node);
        gres_add_list(&ret->in_all, &request->per_step);
        gres_add_list(&ret->per_task, &request->per_task);
    }
}

void step_gres_copy(const struct step_gres *from, struct step_gres *ret)
{
    *ret = (struct step_gres){ .as_job = from->as_job, .needs_gpus = from->needs_gpus };
    gres_add_list(&ret->per_node, &from->per_node);
    gres_add_list(&ret->per_task, &from->per_task);
    gres_add_list(&ret->in_all, &from->in_all);
    gres_add_list(&ret->per_socket, &from->per_socket);
}

void step_gres_clear(struct step_gres *want)
{
    gres_clear(&want->per_node);
    gres_clear(&want->per_task);
    gres_clear(&want->in_all);
    gres_clear(&want->per_socket);
}

void step_gres_auto_(struct step_gres *want)
{
    step_gres_clear(want);
}

/* ---- does it fit ---- */

static bool serves(const struct job_gres *entry, const struct gres *want)
{
    return strcmp(entry->name, want->name) == 0 &&
           (!want->type || (entry->type && strcmp(entry->type, want->type) == 0));
}

static uint64_t left_of(const struct job_node *place, const struct step_use *use, uint32_t i)
{
    const uint64_t taken = use ? use->gres[i] : 0;

    return taken < place->gres[i].count ? place->gres[i].count - taken : 0;
}

static uint64_t left(const struct job_node *place, const struct step_use *use,
                     const struct gres *want)
{
    uint64_t sum = 0;

    for (uint32_t i = 0; i < place->gres_n; i++) {
        if (serves(&place->gres[i], want))
            sum += left_of(place, use, i);
    }
    return sum;
}

/* Returns what the step wants of a node. One that did not say wants what its job asked, but no more
 * than the node has. */
static uint64_t most_of(const struct step_gres *want, const struct job_node *place,
                        const struct gres *gres)
{
    const uint64_t has = want->as_job ? left(place, NULL, gres) : gres->count;

    return has < gres->count ? has : gres->count;
}

uint32_t step_gres_room(const struct step_gres *want, const struct job_node *place,
                        const struct step_use *use)
{
    uint64_t tasks = UINT32_MAX;

    for (uint32_t i = 0; i < want->per_node.n; i++) {
        if (left(place, use, &want->per_node.at[i]) < most_of(want, place, &want->per_node.at[i]))
            return 0;
    }
    for (uint32_t i = 0; i < want->per_task.n; i++) {
        const uint64_t each = most_of(want, place, &want->per_task.at[i]);
        const uint64_t room = each ? left(place, use, &want->per_task.at[i]) / each : tasks;

        tasks = room < tasks ? room : tasks;
    }
    return (uint32_t)tasks;
}

/* Returns how many the step as a whole gets of the nodes that have tasks. */
static uint64_t wanted_in_all(const struct step_gres *want, const struct job *job,
                              const struct gres *gres, const uint32_t *tasks)
{
    uint64_t has = 0;

    for (uint32_t i = 0; i < job->rec.nodes_n; i++)
        has += tasks[i] ? left(&job->rec.nodes[i], NULL, gres) : 0;
    return want->as_job && has < gres->count ? has : gres->count;
}

bool step_gres_suffice(const struct step_gres *want, const struct job *job,
                       const struct step_use *uses, const uint32_t *tasks)
{
    for (uint32_t k = 0; k < want->in_all.n; k++) {
        const struct gres *gres = &want->in_all.at[k];
        uint64_t sum = 0;

        for (uint32_t i = 0; i < job->rec.nodes_n; i++)
            sum += tasks[i] ? left(&job->rec.nodes[i], uses ? &uses[i] : NULL, gres) : 0;
        if (sum < wanted_in_all(want, job, gres, tasks))
            return false;
    }
    return true;
}

static int err_short(const struct job *job, const struct gres *gres, uint64_t wanted, uint64_t has,
                     const char *where, struct err *err)
{
    return err_set(err, E_GRES, "%s: %" PRIu64 " %s%s%s wanted%s, job %u has %" PRIu64,
                   err_string(E_GRES), wanted, gres->name, gres->type ? ":" : "",
                   gres->type ? gres->type : "", where, job->rec.id, has);
}

uint64_t step_gres_gpus(const struct job_gres *gres, uint32_t gres_n)
{
    uint64_t sum = 0;

    for (uint32_t i = 0; i < gres_n; i++)
        sum += strcmp(gres[i].name, "gpu") == 0 ? gres[i].count : 0;
    return sum;
}

static uint64_t most_on_a_node(const struct job *job, const struct gres *gres)
{
    uint64_t most = 0;

    for (uint32_t i = 0; i < job->rec.nodes_n; i++) {
        const uint64_t here = left(&job->rec.nodes[i], NULL, gres);

        most = here > most ? here : most;
    }
    return most;
}

static int check_said_of_gpus(const struct step_gres *want, const struct job *job, struct err *err)
{
    bool has_gpus = false;

    for (uint32_t i = 0; i < job->rec.nodes_n; i++)
        has_gpus = has_gpus || step_gres_gpus(job->rec.nodes[i].gres, job->rec.nodes[i].gres_n) > 0;
    if (want->needs_gpus && !has_gpus)
        return err_set(err, E_GRES, "%s: job %u has no gpus", err_string(E_GRES), job->rec.id);
    for (uint32_t i = 0; i < want->per_socket.n; i++) {
        const struct gres *gres = &want->per_socket.at[i];
        const uint64_t most = most_on_a_node(job, gres);

        if (gres->count > most)
            return err_short(job, gres, gres->count, most, " on a socket", err);
    }
    return 0;
}

int step_gres_check(const struct step_gres *want, const struct job *job, uint32_t min_nodes,
                    uint32_t ntasks, struct err *err)
{
    const struct gres_list *const lists[] = { &want->per_node, &want->per_task, &want->in_all };

    if (check_said_of_gpus(want, job, err) < 0)
        return -E_GRES;
    if (want->as_job)
        return 0;
    for (size_t l = 0; l < ARRAY_N(lists); l++) {
        for (uint32_t k = 0; k < lists[l]->n; k++) {
            const struct gres *gres = &lists[l]->at[k];
            const uint64_t each = l == 0 ? min_nodes : l == 1 ? ntasks : 1;
            const uint64_t most = most_on_a_node(job, gres);
            uint64_t has = 0;

            for (uint32_t i = 0; i < job->rec.nodes_n; i++)
                has += left(&job->rec.nodes[i], NULL, gres);
            if (l == 0 && gres->count > most)
                return err_short(job, gres, gres->count, most, " on a node", err);
            if (gres->count * each > has)
                return err_short(job, gres, gres->count * each, has, "", err);
        }
    }
    return 0;
}

/* ---- taking it ---- */

static struct job_gres *part_of(const struct job_gres *entry, struct step_node *part)
{
    struct job_gres *gres;

    for (uint32_t i = 0; i < part->gres_n; i++) {
        if (job_gres_is_like(&part->gres[i], entry))
            return &part->gres[i];
    }
    gres = ARRAY_PUSH(part->gres, part->gres_n);
    job_gres_init(gres);
    gres->name = xstrdup(entry->name);
    gres->type = xstrdup(entry->type);
    gres->unnamed = entry->unnamed;
    return gres;
}

/* Takes up to `count` of an entry; returns how many. */
static uint64_t take_entry(const struct job_gres *entry, uint32_t first, uint64_t most,
                           const struct step_use *use, uint64_t count, struct step_node *part)
{
    const uint64_t takes = most < count ? most : count;
    struct job_gres *gres;
    uint64_t left_to_name = takes;

    if (takes == 0)
        return 0;
    gres = part_of(entry, part);
    gres->count += takes;
    for (uint32_t k = 0; k < entry->devices_n && left_to_name; k++) {
        if ((use && bitset_has(&use->devices, first + k)) ||
            job_gres_has_device(gres, entry->devices[k]))
            continue;
        *ARRAY_PUSH(gres->devices, gres->devices_n) = entry->devices[k];
        left_to_name--;
    }
    return takes;
}

/* Returns what the step has of an entry already, by another of its lists. */
static uint64_t has_of(const struct job_gres *entry, const struct step_node *part)
{
    for (uint32_t i = 0; i < part->gres_n; i++) {
        if (job_gres_is_like(&part->gres[i], entry))
            return part->gres[i].count;
    }
    return 0;
}

static uint64_t take(const struct job_node *place, const struct step_use *use,
                     const struct gres *want, uint64_t count, struct step_node *part)
{
    uint64_t taken = 0;
    uint32_t first = 0;

    for (uint32_t i = 0; i < place->gres_n; i++) {
        const struct job_gres *entry = &place->gres[i];

        if (serves(entry, want))
            taken += take_entry(entry, first, left_of(place, use, i) - has_of(entry, part), use,
                                count - taken, part);
        first += entry->devices_n;
    }
    return taken;
}

/* Returns how many of the name the step still lacks on the node: two lists may ask for the same, as
 * --gpus and --gpus-per-task do. */
static uint64_t short_of(const struct gres *want, uint64_t count, const struct step_node *part)
{
    uint64_t has = 0;

    for (uint32_t i = 0; i < part->gres_n; i++)
        has += serves(&part->gres[i], want) ? part->gres[i].count : 0;
    return has < count ? count - has : 0;
}

void step_gres_take(struct step_gres *want, const struct job_node *place,
                    const struct step_use *use, uint32_t tasks, uint32_t behind,
                    struct step_node *part)
{
    for (uint32_t i = 0; i < want->per_node.n; i++) {
        const struct gres *gres = &want->per_node.at[i];

        (void)take(place, use, gres, short_of(gres, gres->count, part), part);
    }
    for (uint32_t i = 0; i < want->per_task.n; i++) {
        const struct gres *gres = &want->per_task.at[i];

        (void)take(place, use, gres, short_of(gres, gres->count * tasks, part), part);
    }
    for (uint32_t i = 0; i < want->in_all.n; i++) {
        struct gres *gres = &want->in_all.at[i];
        const uint64_t share = gres->count > behind ? gres->count - behind : gres->count;
        const uint64_t missing = short_of(gres, share, part);

        gres->count -= share - missing + take(place, use, gres, missing, part);
    }
}
