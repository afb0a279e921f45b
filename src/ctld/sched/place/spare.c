#include "ctld/sched/place/spare.h"

#include "common/base/minmax.h"

uint32_t spare_core(uint32_t sockets, uint32_t cores_per_socket, uint32_t i, bool first)
{
    const uint32_t socket = i % sockets, core = i / sockets;

    return first ? socket * cores_per_socket + core
                 : (sockets - socket) * cores_per_socket - core - 1;
}

static uint32_t cores_spared(const struct demand *demand, const struct sched_node *node)
{
    const uint32_t cores = node->cpus / node->threads, kept = (node->cpus - node->cpus_n);
    uint32_t n = kept / node->threads;

    if (demand->spare == PLAN_SPARE_CORES)
        n = demand->spared_n;
    else if (demand->spare == PLAN_SPARE_THREADS)
        n = MAX(n, demand->spared_n / node->threads + (demand->spared_n % node->threads != 0));
    return MIN(n, cores);
}

uint64_t spare_cores_given(const struct demand *demand, const struct sched_node *node)
{
    return node->cpus / node->threads - cores_spared(demand, node);
}

static void take_core(const struct sched_node *node, uint32_t core, struct bitset *cpus)
{
    for (uint32_t i = 0; i < node->threads; i++)
        bitset_del(cpus, core * node->threads + i);
}

void spare_find_given(const struct demand *demand, const struct sched_node *node,
                      struct bitset *ret)
{
    const struct bitset for_jobs = supply_row(&node->all, node, 0);
    const uint32_t each = node->cpus_per_socket / node->threads;
    uint32_t n = cores_spared(demand, node);

    bitset_init(ret, node->cpus);
    bitset_fill(ret);
    for (uint32_t core = 0; n && core < node->cpus / node->threads; core++) {
        if (bitset_has(&for_jobs, core * node->threads))
            continue;
        take_core(node, core, ret);
        n--;
    }
    for (uint32_t i = 0; n && i < node->cpus / node->threads; i++) {
        const uint32_t core = spare_core(cores_sockets(node), each, i, demand->spares_first);

        if (!bitset_has(ret, core * node->threads))
            continue;
        take_core(node, core, ret);
        n--;
    }
}
