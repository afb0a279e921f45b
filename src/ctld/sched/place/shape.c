#include "ctld/sched/place/shape.h"

void plan_shape_release(struct plan_shape *shape)
{
    for (uint32_t i = 0; i < shape->gres_n; i++) {
        free((char *)shape->gres[i].name);
        free((char *)shape->gres[i].type);
    }
    free((void *)shape->gres);
    free((void *)shape->listed);
    bitset_clear(&shape->required);
    bitset_clear(&shape->excluded);
}

void shape_clear(struct plan_shape *shape)
{
    plan_shape_release(shape);
    free((char *)shape->features);
    free((char *)shape->prefer);
}

static void copy_set(struct bitset *to, const struct bitset *from)
{
    *to = (struct bitset){ 0 };
    if (from->size && !bitset_is_empty(from))
        bitset_copy(to, from);
}

static struct plan_gres_ask *copy_gres(const struct plan_shape *from)
{
    struct plan_gres_ask *copies = xcalloc(from->gres_n, sizeof(*copies));

    for (uint32_t i = 0; i < from->gres_n; i++) {
        copies[i] = from->gres[i];
        copies[i].name = xstrdup(from->gres[i].name);
        copies[i].type = xstrdup(from->gres[i].type);
    }
    return copies;
}

void shape_copy(struct plan_shape *to, const struct plan_shape *from)
{
    *to = *from;
    to->features = xstrdup(from->features);
    to->prefer = xstrdup(from->prefer);
    to->gres = copy_gres(from);
    to->listed = xmemdup(from->listed, from->listed_n * sizeof(*from->listed));
    copy_set(&to->required, &from->required);
    copy_set(&to->excluded, &from->excluded);
}

static void add_set(struct strbuf *key, const struct bitset *set)
{
    const bool empty = set->size == 0 || bitset_is_empty(set);

    strbuf_addc(key, empty ? '-' : '+');
    if (!empty)
        strbuf_add(key, set->words, (set->size + 63) / 64 * sizeof(uint64_t));
}

static void add_text(struct strbuf *key, const char *text)
{
    strbuf_adds(key, text ? text : "");
    strbuf_addc(key, '\n');
}

static void add_numbers(struct strbuf *key, const uint64_t *numbers, size_t n)
{
    strbuf_add(key, numbers, n * sizeof(*numbers));
}

static void add_lists(struct strbuf *key, const struct plan_shape *shape)
{
    for (uint32_t i = 0; i < shape->gres_n; i++) {
        const struct plan_gres_ask *ask = &shape->gres[i];

        add_numbers(key, (const uint64_t[]){ ask->count, ask->per }, 2);
        add_text(key, ask->name);
        add_text(key, ask->type);
    }
    for (uint32_t i = 0; i < shape->listed_n; i++)
        add_numbers(key, (const uint64_t[]){ shape->listed[i].node, shape->listed[i].tasks }, 2);
}

void shape_key(const struct plan_shape *shape, struct strbuf *key)
{
    const uint64_t numbers[] = {
        shape->min_nodes,
        shape->max_nodes,
        shape->ignores_nodes_max,
        shape->nodes_limit,
        shape->ntasks,
        shape->cpus_per_task,
        shape->ntasks_per_node,
        shape->ntasks_per_socket,
        shape->ntasks_per_core,
        shape->min_cpus_per_node,
        shape->sockets_per_node,
        shape->cores_per_socket,
        shape->mem_per_node_mb,
        shape->mem_per_cpu_mb,
        shape->mem_per_gpu_mb,
        shape->whole_node_memory,
        shape->exclusive,
        shape->oversubscribe,
        shape->overcommit,
        shape->contiguous,
        shape->use_min_nodes,
        shape->spread,
        shape->one_core_per_socket,
        shape->threads_per_core,
        shape->spare,
        shape->spared_n,
        shape->dist_nodes,
        shape->dist_sockets,
        shape->dist_cores,
        shape->plane_size,
        shape->switches,
        shape->cpus_per_gpu,
        shape->ntasks_per_gpu,
        shape->binds_gres,
        shape->gres_n,
        shape->listed_n,
    };

    add_numbers(key, numbers, ARRAY_N(numbers));
    add_lists(key, shape);
    add_set(key, &shape->required);
    add_set(key, &shape->excluded);
    add_text(key, shape->features);
    add_text(key, shape->prefer);
}
