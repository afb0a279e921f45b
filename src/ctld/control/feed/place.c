/* What jobs hold of a node, from the record to the planner and back. */
#include "ctld/control/feed/snapshot.h"

#include <string.h>

#include "common/text/hostlist.h"
#include "ctld/model/gres.h"

_Static_assert(GRES_COUNTED_SORTS_MAX <= PLAN_COUNTED_MAX, "the planner counts fewer sorts");

/* Returns which amount of the planner's a counted row of the node's list is. */
static uint32_t amount_of_row(const struct node_info *conf, uint32_t row)
{
    uint32_t amount = PLAN_COUNTED;

    for (uint32_t i = 0; i < row; i++)
        amount += gres_is_counted(&conf->devices[i]);
    return amount;
}

/* ---- from the record ---- */

static void add_gres(const struct node *node, const struct job_gres *gres, struct plan_place *place)
{
    const uint32_t row = gres_find_counted(node->conf, gres->name, gres->type);
    struct gres_device device;

    for (uint32_t i = 0; i < gres->devices_n; i++) {
        if (gres_find_device(node->conf, gres->name, gres->devices[i], &device))
            bitset_add(&place->devices, device.number);
    }
    if (gres->devices_n == 0 && row < node->conf->devices_n)
        place->amounts[amount_of_row(node->conf, row)] += gres->count;
}

static void fill_place(const struct node *node, const struct job_node *held,
                       struct plan_place *place)
{
    *place = (struct plan_place){ .node = node->index, .tasks = held->tasks, .row = held->row };
    place->amounts[PLAN_MEMORY] = held->memory == MB_UNSET ? 0 : held->memory;
    bitset_init(&place->cpus, node->conf->cpus);
    for (uint32_t c = 0; c < held->cpus_n; c++) {
        if (held->cpus[c] < place->cpus.size)
            bitset_add(&place->cpus, held->cpus[c]);
    }
    bitset_init(&place->devices, node->devices_used.size);
    for (uint32_t i = 0; i < held->gres_n; i++)
        add_gres(node, &held->gres[i], place);
}

void feed_fill_places(const struct model *model, const struct job *job, struct plan_job *plan)
{
    struct plan_place *places = NULL;
    uint32_t places_n = 0;

    for (uint32_t i = 0; i < job->rec.nodes_n; i++) {
        const struct job_node *held = &job->rec.nodes[i];
        const struct node *node = model_node(model, job->nodes[i]);

        if (node && !held->clean)
            fill_place(node, held, ARRAY_PUSH(places, places_n));
    }
    for (uint32_t i = 0; i < job->rec.leaving_n; i++) {
        const struct node *node = model_find_node(model, job->rec.leaving[i].name);

        if (node)
            fill_place(node, &job->rec.leaving[i], ARRAY_PUSH(places, places_n));
    }
    plan->places = places;
    plan->places_n = places_n;
}

/* ---- against what is used ---- */

/* Returns how many jobs may share a cpu of the node in the partition that allows most. */
static uint32_t shares_of(const struct model *model, const struct node *node)
{
    uint32_t most = 1;

    for (uint32_t i = 0; i < model->partitions_n; i++) {
        if (bitset_has(&model->partitions[i].nodes, node->index) &&
            model->partitions[i].conf->share_max > most)
            most = model->partitions[i].conf->share_max;
    }
    return most;
}

static bool cpus_are_free(const struct model *model, const struct node *node,
                          const struct plan_place *place)
{
    if (place->cpus.size != node->cpus_used.size)
        return false;
    if (place->row == 0)
        return !bitset_meets(&place->cpus, &node->cpus_used);
    BITSET_FOREACH (&place->cpus, cpu) {
        if (node->cpu_jobs[cpu] >= shares_of(model, node))
            return false;
    }
    return true;
}

static bool gres_are_free(const struct node *node, const struct plan_place *place)
{
    const struct node_info *conf = node->conf;

    if (place->devices.size != node->devices_used.size ||
        bitset_meets(&place->devices, &node->devices_used))
        return false;
    for (uint32_t row = 0; row < conf->devices_n; row++) {
        if (gres_is_counted(&conf->devices[row]) &&
            node->gres_used[row] + place->amounts[amount_of_row(conf, row)] >
                conf->devices[row].count)
            return false;
    }
    return true;
}

bool feed_place_fits(const struct model *model, const struct plan_place *place)
{
    const struct node *node = model_node(model, place->node);

    if (!node || !node_is_usable(node) || !cpus_are_free(model, node, place) ||
        !gres_are_free(node, place))
        return false;
    return !(model->config.select & SELECT_MEMORY) ||
           node->memory_used_mb + place->amounts[PLAN_MEMORY] <= node_memory_for_jobs(node);
}

/* ---- to the record ---- */

/* Returns the entry of the row's name and type, which devices of several rows share. */
static struct job_gres *gres_of_row(const struct gres_info *row, struct job_node *held)
{
    struct job_gres *gres;

    for (uint32_t i = 0; i < held->gres_n; i++) {
        const char *type = held->gres[i].type ? held->gres[i].type : "";

        if (strcmp(held->gres[i].name, row->name) == 0 &&
            strcmp(type, row->type ? row->type : "") == 0)
            return &held->gres[i];
    }
    gres = ARRAY_PUSH(held->gres, held->gres_n);
    job_gres_init(gres);
    gres->name = xstrdup(row->name);
    gres->type = xstrdup(row->type);
    return gres;
}

static void show_gres(const struct node_info *conf, const struct plan_place *place,
                      struct job_node *held)
{
    BITSET_FOREACH (&place->devices, number) {
        struct gres_device device;
        struct job_gres *gres;

        if (!gres_device_at(conf, (uint32_t)number, &device))
            continue;
        gres = gres_of_row(&conf->devices[device.row], held);
        gres->unnamed = conf->devices[device.row].files_n == 0;
        *ARRAY_PUSH(gres->devices, gres->devices_n) = device.index;
        gres->count++;
    }
    for (uint32_t row = 0; row < conf->devices_n; row++) {
        const uint64_t amount =
            gres_is_counted(&conf->devices[row]) ? place->amounts[amount_of_row(conf, row)] : 0;

        if (amount)
            gres_of_row(&conf->devices[row], held)->count += amount;
    }
}

void feed_show_place(const struct model *model, const struct plan_place *place,
                     struct job_node *ret)
{
    const struct node *node = &model->nodes[place->node];

    ret->name = xstrdup(node->rec.name);
    ret->tasks = place->tasks;
    ret->row = place->row;
    if (model->config.select & SELECT_MEMORY)
        ret->memory = place->amounts[PLAN_MEMORY];
    BITSET_FOREACH (&place->cpus, cpu)
        *ARRAY_PUSH(ret->cpus, ret->cpus_n) = (uint32_t)cpu;
    show_gres(node->conf, place, ret);
}

char *feed_place_names(const struct model *model, const struct plan_place *places, uint32_t n)
{
    AUTO(hostlist) struct hostlist *names = hostlist_new();

    for (uint32_t i = 0; i < n; i++)
        hostlist_add(names, model->nodes[places[i].node].rec.name);
    hostlist_sort(names);
    return n ? hostlist_format(names) : NULL;
}
