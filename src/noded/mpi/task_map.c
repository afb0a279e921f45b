#include "noded/mpi/task_map.h"

#include <string.h>

/* Each of `nodes_n` nodes from the `first` on has `each` tasks that follow one another. */
struct block {
    uint32_t first, nodes_n, each;
};

struct blocks {
    struct block *at;
    uint32_t n;
};

uint32_t *task_map_nodes(const struct launch_body *body)
{
    uint32_t *nodes = xcalloc(body->ntasks + 1, sizeof(*nodes));

    for (uint32_t i = 0; i < body->nodes_n; i++) {
        for (uint32_t k = 0; k < body->nodes[i].tasks_n; k++) {
            if (body->nodes[i].tasks[k] < body->ntasks)
                nodes[body->nodes[i].tasks[k]] = i;
        }
    }
    return nodes;
}

static void add_run(struct blocks *blocks, uint32_t node, uint32_t tasks)
{
    struct block *last = blocks->n ? &blocks->at[blocks->n - 1] : NULL;

    if (last && last->each == tasks && last->first + last->nodes_n == node)
        last->nodes_n++;
    else
        *ARRAY_PUSH(blocks->at, blocks->n) = (struct block){ node, 1, tasks };
}

static bool is_repeated(const struct blocks *blocks, uint32_t period)
{
    for (uint32_t i = period; i < blocks->n; i++) {
        if (memcmp(&blocks->at[i], &blocks->at[i % period], sizeof(struct block)) != 0)
            return false;
    }
    return true;
}

char *task_map_format(const struct launch_body *body, size_t max)
{
    AUTO_FREE uint32_t *nodes = task_map_nodes(body);
    AUTO(strbuf) struct strbuf text = { 0 };
    struct blocks blocks = { 0 };
    uint32_t period = 1;

    for (uint32_t i = 0, run; i < body->ntasks; i += run) {
        for (run = 1; i + run < body->ntasks && nodes[i + run] == nodes[i]; run++)
            ;
        add_run(&blocks, nodes[i], run);
    }
    while (period < blocks.n && !is_repeated(&blocks, period))
        period++;
    strbuf_adds(&text, "(vector");
    for (uint32_t i = 0; i < period && i < blocks.n && text.len <= max; i++)
        strbuf_addf(&text, ",(%u,%u,%u)", blocks.at[i].first, blocks.at[i].nodes_n,
                    blocks.at[i].each);
    strbuf_adds(&text, ")");
    free(blocks.at);
    return text.len <= max ? strbuf_steal(&text) : NULL;
}
