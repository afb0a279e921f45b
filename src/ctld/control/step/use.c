#include "ctld/control/step/use.h"

#include <string.h>

#include "ctld/control/act/per_node.h"
#include "ctld/control/step/end.h"

bool step_takes_cpus(const struct step *step)
{
    return step_is_active(step) && step->rec.spec && !step->rec.spec->overlap;
}

bool job_gres_is_like(const struct job_gres *a, const struct job_gres *b)
{
    if (strcmp(a->name, b->name) != 0)
        return false;
    return a->type && b->type ? strcmp(a->type, b->type) == 0 : a->type == b->type;
}

bool job_gres_has_device(const struct job_gres *gres, uint32_t number)
{
    for (uint32_t i = 0; i < gres->devices_n; i++) {
        if (gres->devices[i] == number)
            return true;
    }
    return false;
}

/* Adds the devices that are used. `first` is the number of the entry's first device among those of
 * all entries. */
static void add_devices(struct bitset *devices, const struct job_gres *entry, uint32_t first,
                        const struct job_gres *used)
{
    for (uint32_t k = 0; k < entry->devices_n; k++) {
        if (job_gres_has_device(used, entry->devices[k]))
            bitset_add(devices, first + k);
    }
}

static void add_gres(struct step_use *use, const struct job_node *place,
                     const struct step_node *part)
{
    uint32_t first = 0;

    for (uint32_t i = 0; i < place->gres_n; i++) {
        for (uint32_t k = 0; k < part->gres_n; k++) {
            if (!job_gres_is_like(&place->gres[i], &part->gres[k]))
                continue;
            use->gres[i] += part->gres[k].count;
            add_devices(&use->devices, &place->gres[i], first, &part->gres[k]);
        }
        first += place->gres[i].devices_n;
    }
}

static void add_part(struct step_use *use, const struct job_node *place,
                     const struct step_node *part)
{
    if (part->state == STEP_ENDED)
        return;
    for (uint32_t i = 0; i < part->cpus_n; i++) {
        if (part->cpus[i] < use->cpus.size)
            bitset_add(&use->cpus, part->cpus[i]);
    }
    if (part->memory != MB_UNSET)
        use->memory_mb += part->memory;
    add_gres(use, place, part);
}

void step_uses_add(struct step_use *uses, const struct job *job, const struct step *step)
{
    if (!step_takes_cpus(step))
        return;
    for (uint32_t i = 0; i < step->rec.nodes_n; i++) {
        int64_t at = job_position(job, step->rec.nodes[i].name);

        if (at >= 0)
            add_part(&uses[at], &job->rec.nodes[at], &step->rec.nodes[i]);
    }
}

struct step_use *step_uses_new(const struct model *model, const struct job *job)
{
    struct step_use *uses = xcalloc(job->rec.nodes_n, sizeof(*uses));

    for (uint32_t i = 0; i < job->rec.nodes_n; i++) {
        const struct node *node = model_node(model, job->nodes[i]);
        const struct job_node *place = &job->rec.nodes[i];
        uint32_t devices = 0;

        for (uint32_t k = 0; k < place->gres_n; k++)
            devices += place->gres[k].devices_n;
        bitset_init(&uses[i].cpus, node ? node->conf->cpus : 0);
        bitset_init(&uses[i].devices, devices);
        uses[i].gres = xcalloc(place->gres_n, sizeof(*uses[i].gres));
    }
    for (const struct step *step = job->live; step; step = step->live_next)
        step_uses_add(uses, job, step);
    return uses;
}

struct step_use *step_uses_free(struct step_use *uses, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        bitset_clear(&uses[i].cpus);
        bitset_clear(&uses[i].devices);
        free(uses[i].gres);
    }
    free(uses);
    return NULL;
}
