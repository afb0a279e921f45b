/* Serves AutoDetect of gres.conf: the gpus that this node finds by itself. */
#include <errno.h>

#include "common/base/bitset.h"
#include "common/text/gres.h"
#include "noded/inventory/gpus.h"
#include "noded/main/daemon.h"

/* Takes cores as slurm.conf counts them. Where all are near, nothing is to be said. */
static void take_cores(const struct gpu *gpu, const struct cpu_tree *tree, struct node_gpu *ret)
{
    AUTO(bitset) struct bitset cores = { 0 };

    bitset_init(&cores, tree->cores_n);
    for (uint32_t i = 0; i < gpu->cpus_n; i++) {
        for (uint32_t place = 0; place < tree->cpus_n; place++) {
            if (tree->cpus[place].number == gpu->cpus[i])
                bitset_add(&cores, tree->cpus[place].core);
        }
    }
    if (bitset_count(&cores) == tree->cores_n)
        return;
    BITSET_FOREACH (&cores, i)
        *ARRAY_PUSH(ret->cores, ret->cores_n) = (uint32_t)i;
}

static bool read_tree(const struct conf_node *node, struct cpu_tree *ret)
{
    const struct tree_shape shape = {
        .cpus = node->cpus,
        .sockets = node->sockets,
        .cores_per_socket = node->cores_per_socket,
        .threads_per_core = node->threads_per_core,
    };

    return cpu_tree_read(NULL, ret, NULL) == 0 && cpu_tree_count_as(ret, &shape, NULL) == 0;
}

static void take_gpus(const struct gpus *gpus, const struct cpu_tree *tree,
                      struct settings *settings)
{
    for (uint32_t i = 0; i < gpus->n; i++) {
        struct node_gpu *gpu = ARRAY_PUSH(settings->gpus, settings->gpus_n);

        node_gpu_init(gpu);
        gpu->name = xstrdup(gpus->at[i].name);
        gpu->file = xstrdup(gpus->at[i].file);
        if (tree)
            take_cores(&gpus->at[i], tree, gpu);
    }
}

int settings_find_gpus(struct settings *settings, struct err *err)
{
    struct gpus_where where = GPUS_WHERE;
    AUTO(gpus) struct gpus gpus = { 0 };
    AUTO(cpu_tree) struct cpu_tree tree = { 0 };
    int rc;

    if (settings->node->gpu_detect == CONF_GPU_DETECT_OFF)
        return 0;
    if (settings->node->gpu_detect != CONF_GPU_DETECT_NVML)
        where.library = NULL;
    rc = gpus_find(&where, &gpus, err);
    take_gpus(&gpus, gpus.n && read_tree(settings->node, &tree) ? &tree : NULL, settings);
    return rc;
}

void settings_clear_gpus(struct settings *settings)
{
    for (uint32_t i = 0; i < settings->gpus_n; i++)
        node_gpu_clear(&settings->gpus[i]);
    free(settings->gpus);
    settings->gpus = NULL;
    settings->gpus_n = 0;
}
