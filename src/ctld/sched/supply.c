#include "ctld/sched/supply.h"

#include <string.h>

bool supplies_meet(const struct sched_node *node, const struct supply *a, const struct supply *b)
{
    for (uint32_t i = 0; i < node->words; i++) {
        if (a->bits[i] & b->bits[i])
            return true;
    }
    for (uint32_t i = 0; i < PLAN_AMOUNTS_MAX; i++) {
        if (a->amounts[i] && b->amounts[i])
            return true;
    }
    return false;
}

void sched_place_init(struct sched_place *place, const struct sched_node *node, uint32_t number)
{
    *place = (struct sched_place){ .node = number };
    place->supply.bits = xcalloc(node->words + 1, sizeof(uint64_t));
}

static void add_members(struct bitset *to, const struct bitset *from)
{
    BITSET_FOREACH (from, member) {
        if (member < to->size)
            bitset_add(to, (uint32_t)member);
    }
}

void sched_place_take(struct sched_place *place, const struct sched_cluster *cluster,
                      const struct plan_place *from)
{
    const struct sched_node *node = &cluster->nodes[from->node];
    struct bitset cpus, devices;

    sched_place_init(place, node, from->node);
    cpus = supply_cpus(&place->supply, node);
    devices = supply_devices(&place->supply, node);
    add_members(&cpus, &from->cpus);
    add_members(&devices, &from->devices);
    place->tasks = from->tasks;
    memcpy(place->supply.amounts, from->amounts, sizeof(from->amounts));
}

static void place_show(const struct sched_place *place, const struct sched_cluster *cluster,
                       struct plan_place *ret)
{
    const struct sched_node *node = &cluster->nodes[place->node];
    const struct bitset cpus = supply_cpus(&place->supply, node);
    const struct bitset devices = supply_devices(&place->supply, node);

    *ret = (struct plan_place){ .node = place->node, .tasks = place->tasks };
    bitset_copy(&ret->cpus, &cpus);
    bitset_copy(&ret->devices, &devices);
    memcpy(ret->amounts, place->supply.amounts, sizeof(ret->amounts));
}

struct plan_place *sched_places_show(const struct sched_place *places, uint32_t n,
                                     const struct sched_cluster *cluster)
{
    struct plan_place *shown = xcalloc(n, sizeof(*shown));

    for (uint32_t i = 0; i < n; i++)
        place_show(&places[i], cluster, &shown[i]);
    return shown;
}

void plan_places_free(const struct plan_place *places, uint32_t n)
{
    struct plan_place *owned = (struct plan_place *)places;

    for (uint32_t i = 0; i < n; i++) {
        bitset_clear(&owned[i].cpus);
        bitset_clear(&owned[i].devices);
    }
    free(owned);
}

struct sched_place *places_copy(const struct sched_cluster *cluster,
                                const struct sched_place *places, uint32_t n)
{
    struct sched_place *copies = xmemdup(places, n * sizeof(*copies));

    for (uint32_t i = 0; i < n; i++)
        copies[i].supply.bits = xmemdup(
            places[i].supply.bits, (cluster->nodes[places[i].node].words + 1) * sizeof(uint64_t));
    return copies;
}

void places_free(struct sched_place *places, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        free(places[i].supply.bits);
    free(places);
}

bool places_equal(const struct sched_cluster *cluster, const struct sched_place *a, uint32_t a_n,
                  const struct sched_place *b, uint32_t b_n)
{
    if (a_n != b_n)
        return false;
    for (uint32_t i = 0; i < a_n; i++) {
        if (a[i].node != b[i].node || a[i].tasks != b[i].tasks ||
            memcmp(a[i].supply.amounts, b[i].supply.amounts, sizeof(a[i].supply.amounts)) != 0 ||
            memcmp(a[i].supply.bits, b[i].supply.bits,
                   cluster->nodes[a[i].node].words * sizeof(uint64_t)) != 0)
            return false;
    }
    return true;
}
