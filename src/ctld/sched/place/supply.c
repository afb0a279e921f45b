#include "ctld/sched/place/supply.h"

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

void supply_join_rows(const struct supply *supply, const struct sched_node *node, bool unite,
                      struct bitset *ret)
{
    const struct bitset first = supply_row(supply, node, 0);

    *ret = (struct bitset){ 0 };
    bitset_copy(ret, &first);
    for (uint32_t row = 1; row < node->rows; row++) {
        const struct bitset cpus = supply_row(supply, node, row);

        if (unite)
            bitset_or(ret, &cpus);
        else
            bitset_and(ret, &cpus);
    }
}

void sched_place_add_cpus(struct sched_place *place, const struct sched_node *node,
                          const struct bitset *cpus)
{
    for (uint32_t row = 0; row < node->rows; row++) {
        struct bitset taken = supply_row(&place->supply, node, row);

        if (place->row == 0 || place->row == row + 1)
            bitset_or(&taken, cpus);
    }
}

void sched_place_give(struct sched_place *place, const struct sched_node *node,
                      const struct bitset *given)
{
    const struct bitset all = supply_row(&node->all, node, 0);

    sched_place_add_cpus(place, node, &all);
    bitset_clear(&place->given);
    bitset_copy(&place->given, given);
}

void sched_place_clear(struct sched_place *place)
{
    bitset_clear(&place->given);
}

/* Initializes `ret` with the cpus of the place. */
static void cpus_of(const struct sched_place *place, const struct sched_node *node,
                    struct bitset *ret)
{
    *ret = (struct bitset){ 0 };
    if (place->given.size)
        bitset_copy(ret, &place->given);
    else
        supply_join_rows(&place->supply, node, true, ret);
}

void sched_place_count(struct sched_place *place, const struct sched_node *node, uint32_t partition)
{
    const uint32_t cap = sched_node_cap(node, partition);
    AUTO(bitset) struct bitset cpus = { 0 };

    if (!cap)
        return;
    cpus_of(place, node, &cpus);
    place->supply.amounts[cap] = (bitset_count(&cpus) + node->threads - 1) / node->threads;
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
    AUTO(bitset) struct bitset cpus = { 0 };
    struct bitset devices;

    place->node = from->node;
    place->tasks = from->tasks;
    place->row = from->row <= node->rows ? from->row : 0;
    bitset_init(&cpus, node->counts_cpus ? 0 : node->cpus);
    add_members(&cpus, &from->cpus);
    sched_place_add_cpus(place, node, &cpus);
    devices = supply_devices(&place->supply, node);
    add_members(&devices, &from->devices);
    memcpy(place->supply.amounts, from->amounts, sizeof(from->amounts));
}

static void place_show(const struct sched_place *place, const struct sched_cluster *cluster,
                       struct plan_place *ret)
{
    const struct sched_node *node = &cluster->nodes[place->node];
    const struct bitset devices = supply_devices(&place->supply, node);

    *ret = (struct plan_place){ .node = place->node, .tasks = place->tasks, .row = place->row };
    cpus_of(place, node, &ret->cpus);
    bitset_copy(&ret->devices, &devices);
    memcpy(ret->amounts, place->supply.amounts, sizeof(ret->amounts));
    for (uint32_t i = 0; i < node->caps_n; i++) /* nobody else's business */
        ret->amounts[node->caps[i].amount] = 0;
}

struct plan_place *sched_places_show(const struct sched_place *places, uint32_t n,
                                     const struct sched_cluster *cluster)
{
    struct plan_place *shown = xcalloc(n, sizeof(*shown));

    for (uint32_t i = 0; i < n; i++)
        place_show(&places[i], cluster, &shown[i]);
    return shown;
}

struct plan_place *plan_places_copy(const struct plan_place *places, uint32_t n)
{
    struct plan_place *copies = xmemdup(places, n * sizeof(*copies));

    for (uint32_t i = 0; i < n; i++) {
        copies[i].cpus = copies[i].devices = (struct bitset){ 0 };
        bitset_copy(&copies[i].cpus, &places[i].cpus);
        bitset_copy(&copies[i].devices, &places[i].devices);
    }
    return copies;
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

struct sched_place *places_new(uint32_t n, uint32_t words)
{
    struct sched_place *places = xcalloc(n, sizeof(*places) + words * sizeof(uint64_t));
    uint64_t *bits = (uint64_t *)&places[n];

    for (uint32_t i = 0; i < n; i++)
        places[i].supply.bits = bits + (size_t)i * words;
    return places;
}

void places_free(struct sched_place *places, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        sched_place_clear(&places[i]);
    free(places);
}

bool places_equal(const struct sched_cluster *cluster, const struct sched_place *a, uint32_t a_n,
                  const struct sched_place *b, uint32_t b_n)
{
    if (a_n != b_n)
        return false;
    for (uint32_t i = 0; i < a_n; i++) {
        if (a[i].node != b[i].node || a[i].tasks != b[i].tasks || a[i].row != b[i].row ||
            memcmp(a[i].supply.amounts, b[i].supply.amounts, sizeof(a[i].supply.amounts)) != 0 ||
            memcmp(a[i].supply.bits, b[i].supply.bits,
                   cluster->nodes[a[i].node].words * sizeof(uint64_t)) != 0)
            return false;
    }
    return true;
}
