#include "cli/lib/nodes.h"

#include <string.h>

const struct node_info *nodes_find(const struct records *nodes, const char *name)
{
    for (uint32_t i = 0; i < nodes->n; i++) {
        const struct node_info *info = record_at(nodes, i);

        if (strcmp(info->node->name, name) == 0)
            return info;
    }
    return NULL;
}

uint32_t nodes_cpus_for_jobs(const struct node_info *node)
{
    uint32_t kept = node->core_spec_count * (node->threads_per_core ? node->threads_per_core : 1);

    return node->cpus > kept ? node->cpus - kept : 0;
}

static uint64_t units(uint32_t billing, uint32_t cpus)
{
    return billing == COUNT_UNSET ? cpus : billing;
}

struct tres nodes_tres(const struct node_info *node)
{
    struct tres tres = { .cpus = node->cpus,
                         .mem_mb = node->memory_mb,
                         .billing = units(node->billing, node->cpus) };

    tres_add_gres(&tres, node->gres);
    return tres;
}

struct tres nodes_tres_used(const struct node_info *node)
{
    struct tres tres = { .cpus = node->alloc_cpus, .mem_mb = node->alloc_memory_mb };

    tres_add_gres(&tres, node->gres_used);
    return tres;
}

struct tres nodes_tres_of(const struct partition_info *partition)
{
    struct tres tres = { .cpus = partition->total_cpus,
                         .mem_mb = partition->total_memory_mb,
                         .nodes = partition->total_nodes,
                         .billing = units(partition->total_billing, partition->total_cpus) };

    tres_add_gres(&tres, partition->total_gres);
    return tres;
}
