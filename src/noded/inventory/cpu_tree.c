#include "noded/inventory/cpu_tree.h"

#include <errno.h>
#include <hwloc.h>
#include <string.h>

/* Sets up only what is looked at: caches and devices take time and plug-ins. */
static int set_up(hwloc_topology_t topology, const char *synthetic)
{
    int rc = hwloc_topology_set_all_types_filter(topology, HWLOC_TYPE_FILTER_KEEP_NONE);

    if (rc == 0)
        rc =
            hwloc_topology_set_type_filter(topology, HWLOC_OBJ_PACKAGE, HWLOC_TYPE_FILTER_KEEP_ALL);
    if (rc == 0)
        rc = hwloc_topology_set_type_filter(topology, HWLOC_OBJ_CORE, HWLOC_TYPE_FILTER_KEEP_ALL);
    /* A daemon that was kept to some cpus serves a node that has them all. */
    if (rc == 0)
        rc = hwloc_topology_set_flags(topology, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED);
    if (rc == 0 && synthetic)
        rc = hwloc_topology_set_synthetic(topology, synthetic);
    return rc < 0 ? rc : hwloc_topology_load(topology);
}

/* Returns the part that the cpu lies in. What a machine does not tell counts as one. */
static const void *part_of(hwloc_obj_t cpu, hwloc_obj_type_t type)
{
    while (cpu && cpu->type != type)
        cpu = cpu->parent;
    return cpu;
}

static void add_cpu(struct cpu_tree *tree, hwloc_obj_t cpu, hwloc_obj_t before)
{
    const bool same_socket =
        before && part_of(cpu, HWLOC_OBJ_PACKAGE) == part_of(before, HWLOC_OBJ_PACKAGE);
    const void *core = part_of(cpu, HWLOC_OBJ_CORE);
    const bool same_core = before && core && core == part_of(before, HWLOC_OBJ_CORE);
    const int ldom = cpu->nodeset ? hwloc_bitmap_first(cpu->nodeset) : 0;

    tree->sockets_n += !same_socket;
    tree->cores_n += !same_core;
    if (cpu->os_index >= tree->numbers_end)
        tree->numbers_end = cpu->os_index + 1;
    *ARRAY_PUSH(tree->cpus, tree->cpus_n) = (struct tree_cpu){
        .number = cpu->os_index,
        .core = tree->cores_n - 1,
        .socket = tree->sockets_n - 1,
        .ldom = ldom > 0 ? (uint32_t)ldom : 0,
    };
}

static void take_cpus(hwloc_topology_t from, struct cpu_tree *ret)
{
    const int depth = hwloc_get_type_depth(from, HWLOC_OBJ_PU);
    hwloc_obj_t cpu, before = NULL;

    while ((cpu = hwloc_get_obj_by_depth(from, depth, ret->cpus_n))) {
        add_cpu(ret, cpu, before);
        before = cpu;
    }
}

int cpu_tree_read(const char *synthetic, struct cpu_tree *ret, struct err *err)
{
    hwloc_topology_t from;

    if (hwloc_topology_init(&from) < 0)
        return err_set(err, ENOMEM, "cannot look at the cpus of this machine");
    *ret = (struct cpu_tree){ .each = 1 };
    if (set_up(from, synthetic) == 0)
        take_cpus(from, ret);
    hwloc_topology_destroy(from);
    cpu_tree_close_library();
    if (ret->cpus_n == 0)
        return err_set(err, ENOENT, "cannot find out what cpus this machine has");
    return 0;
}

void cpu_tree_clear(struct cpu_tree *tree)
{
    free(tree->cpus);
    *tree = (struct cpu_tree){ 0 };
}

void cpu_tree_auto_(struct cpu_tree *tree)
{
    cpu_tree_clear(tree);
}

/* ---- slurm.conf's counting ---- */

int cpu_tree_count_as(struct cpu_tree *tree, const struct tree_shape *shape, struct err *err)
{
    const uint64_t counted =
        (uint64_t)shape->sockets * shape->cores_per_socket * shape->threads_per_core;

    if (shape->cpus != tree->cpus_n && shape->cpus != tree->cores_n)
        return err_set(err, EINVAL, "slurm.conf gives this node %u CPUs, the machine has %u",
                       shape->cpus, tree->cpus_n);
    if (shape->overrides && counted == tree->cpus_n) {
        const uint32_t per_socket = shape->cores_per_socket * shape->threads_per_core;

        for (uint32_t i = 0; i < tree->cpus_n; i++) {
            tree->cpus[i].core = i / shape->threads_per_core;
            tree->cpus[i].socket = i / per_socket;
        }
        tree->cores_n = tree->cpus_n / shape->threads_per_core;
        tree->sockets_n = shape->sockets;
    }
    tree->each = tree->cpus_n / shape->cpus;
    return 0;
}

void cpu_tree_places(const struct cpu_tree *tree, const uint32_t *cpus, uint32_t cpus_n,
                     struct bitset *ret)
{
    bitset_init(ret, tree->cpus_n);
    for (uint32_t i = 0; i < cpus_n; i++) {
        for (uint32_t k = 0; k < tree->each; k++) {
            const uint64_t place = (uint64_t)cpus[i] * tree->each + k;

            if (place < tree->cpus_n)
                bitset_add(ret, (uint32_t)place);
        }
    }
}

uint32_t cpu_tree_map(const struct cpu_tree *tree, const uint32_t *cpus, uint32_t cpus_n,
                      uint32_t **ret)
{
    AUTO(bitset) struct bitset places = { 0 };
    uint32_t n = 0;

    cpu_tree_places(tree, cpus, cpus_n, &places);
    *ret = NULL;
    BITSET_FOREACH (&places, i)
        *ARRAY_PUSH(*ret, n) = tree->cpus[i].number;
    return n;
}
