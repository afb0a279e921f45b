#include "cli/sinfo/amounts.h"

#include "cli/sinfo/state.h"

static uint64_t amount_of(const struct node_info *node, enum sinfo_amount amount)
{
    const uint64_t values[] = {
        [SINFO_CPUS] = node->cpus,
        [SINFO_SOCKETS] = node->sockets,
        [SINFO_CORES] = node->cores_per_socket,
        [SINFO_THREADS] = node->threads_per_core,
        [SINFO_MEMORY] = node->memory_mb,
        [SINFO_DISK] = node->tmp_disk_mb,
        [SINFO_WEIGHT] = node->weight,
        [SINFO_FREE_MEMORY] =
            node->free_memory_mb == MB_UNSET ? SINFO_UNSAID : node->free_memory_mb,
        [SINFO_LOAD] = node->load_percent == COUNT_UNSET ? SINFO_UNSAID : node->load_percent,
    };

    return values[amount];
}

struct sinfo_range sinfo_range_of(const struct sinfo_row *row, enum sinfo_amount amount)
{
    struct sinfo_range range = { 0 };

    for (uint32_t i = 0; i < row->nodes_n; i++) {
        const uint64_t value = amount_of(row->nodes[i], amount);

        if (i == 0 || value < range.least)
            range.least = value;
        if (i == 0 || value > range.most)
            range.most = value;
    }
    return range;
}

struct sinfo_cpus sinfo_cpus_of(const struct sinfo_row *row)
{
    struct sinfo_cpus cpus = { 0 };

    for (uint32_t i = 0; i < row->nodes_n; i++) {
        const struct node_info *node = row->nodes[i];
        const uint32_t used = node->alloc_cpus < node->cpus ? node->alloc_cpus : node->cpus;
        const bool takes_work =
            node_use(node) != NODE_USE_OTHER && !(node->flags & NODE_FLAG_DRAIN);

        cpus.allocated += used;
        *(takes_work ? &cpus.idle : &cpus.other) += node->cpus - used;
    }
    return cpus;
}
