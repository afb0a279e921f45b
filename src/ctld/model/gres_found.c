/* Gpus whose files and cores the node tells: its rows become what it has found. */
#include <string.h>

#include "common/text/gres.h"
#include "common/text/words.h"
#include "ctld/model/gres.h"

static bool same_cores(const struct node_gpu *gpu, const struct gres_info *row)
{
    return gpu->cores_n == row->cores_n &&
           (gpu->cores_n == 0 ||
            memcmp(gpu->cores, row->cores, gpu->cores_n * sizeof(*gpu->cores)) == 0);
}

struct rows {
    struct gres_info *at;
    uint32_t n;
};

static void rows_clear(struct rows *rows)
{
    for (uint32_t i = 0; i < rows->n; i++)
        gres_info_clear(&rows->at[i]);
    free(rows->at);
    *rows = (struct rows){ 0 };
}

/* Adds a row for `count` devices of `from`, of which nothing is found yet. */
static struct gres_info *add_row(struct rows *rows, const struct gres_info *from, uint64_t count)
{
    struct gres_info *row = ARRAY_PUSH(rows->at, rows->n);

    gres_info_init(row);
    row->name = xstrdup(from->name);
    row->type = xstrdup(from->type);
    row->gpu_env = from->gpu_env;
    row->found = true;
    row->count = count;
    return row;
}

/* Returns the rows as configured: those of one sort that a node has parted are joined. */
static struct rows joined(const struct node_info *conf)
{
    struct rows rows = { 0 };

    for (uint32_t i = 0; i < conf->devices_n; i++) {
        const struct gres_info *from = &conf->devices[i];
        struct gres_info *last = rows.n ? &rows.at[rows.n - 1] : NULL;

        if (!from->found)
            schema_copy(gres_info_schema(), ARRAY_PUSH(rows.at, rows.n), from);
        else if (last && last->found && text_is(last->type, from->type))
            last->count += from->count;
        else
            add_row(&rows, from, from->count);
    }
    return rows;
}

struct search {
    const struct node_hardware *has;
    bool *taken; /* of has->gpus */
};

static struct node_gpu *next_gpu(struct search *search, const char *type)
{
    for (uint32_t i = 0; i < search->has->gpus_n; i++) {
        struct node_gpu *gpu = &search->has->gpus[i];

        if (search->taken[i] || !gres_type_fits(type, gpu->name))
            continue;
        search->taken[i] = true;
        return gpu;
    }
    return NULL;
}

/* Parts a row by the cores that are near: gpus that follow one another share a row if theirs are
 * the same. */
static void part(struct search *search, const struct gres_info *from, struct rows *rows)
{
    struct gres_info *row = NULL;
    uint64_t left = from->count;

    for (; left; left--) {
        const struct node_gpu *gpu = next_gpu(search, from->type);

        if (!gpu)
            break;
        if (!row || !same_cores(gpu, row)) {
            row = add_row(rows, from, 0);
            row->cores = xmemdup(gpu->cores, gpu->cores_n * sizeof(*gpu->cores));
            row->cores_n = gpu->cores_n;
        }
        row->count++;
        *ARRAY_PUSH(row->files, row->files_n) = xstrdup(gpu->file);
    }
    if (left)
        add_row(rows, from, left);
}

static bool same_rows(const struct rows *rows, const struct node_info *conf)
{
    bool same = rows->n == conf->devices_n;

    for (uint32_t i = 0; i < rows->n && same; i++)
        same = schema_equal(gres_info_schema(), &rows->at[i], &conf->devices[i]);
    return same;
}

/* Counts the use of the new rows. Devices keep their numbers, so what is in use stays so; what is
 * only counted comes in the order in which it came. */
static void count_used(struct node *node, const struct rows *old)
{
    struct gres_device device;
    uint64_t *used = xcalloc(node->conf->devices_n, sizeof(*used));
    uint32_t from = 0;

    BITSET_FOREACH (&node->devices_used, number) {
        if (gres_device_at(node->conf, (uint32_t)number, &device))
            used[device.row]++;
    }
    for (uint32_t i = 0; i < node->conf->devices_n; i++) {
        if (!gres_is_counted(&node->conf->devices[i]))
            continue;
        while (!gres_is_counted(&old->at[from]))
            from++;
        used[i] = node->gres_used[from++];
    }
    free(node->gres_used);
    node->gres_used = used;
}

bool node_take_found(struct model *model, struct node *node)
{
    struct node_info *conf = &model->config.nodes[node->index];
    struct rows before = joined(conf), rows = { 0 };
    struct search search = { .has = node->rec.hardware };
    bool same;

    search.taken = xcalloc((size_t)search.has->gpus_n + 1, sizeof(*search.taken));
    for (uint32_t i = 0; i < before.n; i++) {
        if (before.at[i].found)
            part(&search, &before.at[i], &rows);
        else
            schema_copy(gres_info_schema(), ARRAY_PUSH(rows.at, rows.n), &before.at[i]);
    }
    same = same_rows(&rows, conf);
    if (!same) {
        struct rows old = { conf->devices, conf->devices_n };

        conf->devices = rows.at;
        conf->devices_n = rows.n;
        rows = old;
        count_used(node, &rows);
    }
    free(search.taken);
    rows_clear(&before);
    rows_clear(&rows);
    return !same;
}

uint64_t node_missing_gpus(const struct node *node)
{
    uint64_t n = 0;

    for (uint32_t i = 0; i < node->conf->devices_n; i++) {
        const struct gres_info *row = &node->conf->devices[i];

        n += row->found ? row->count - row->files_n : 0;
    }
    return n;
}
