#include "unit/check_main.h"

#include <string.h>

#include "common/text/words.h"
#include "ctld/model/gres.h"

/* A node with rows as "gpu:a 2 found, gpu:b 1, band 1000". */
static struct model *model_with(const char *rows)
{
    struct model_config config = { .nodes = xcalloc(1, sizeof(*config.nodes)), .nodes_n = 1 };
    AUTO(words) struct words words = words_split(rows, ",");
    struct node_info *info = config.nodes;
    struct model *model = NULL;

    node_info_init(info);
    info->node = xcalloc(1, sizeof(*info->node));
    node_record_init(info->node);
    info->node->name = xstrdup("n1");
    info->cpus = 4;
    for (uint32_t i = 0; i < words.n; i++) {
        struct gres_info *row = ARRAY_PUSH(info->devices, info->devices_n);
        AUTO(words) struct words parts = words_split(words.at[i], " ");
        char *type = strchr(parts.at[0], ':');

        gres_info_init(row);
        row->name = xstrndup(parts.at[0], strcspn(parts.at[0], ":"));
        row->type = xstrdup(type ? type + 1 : NULL);
        row->count = strtoull(parts.at[1], NULL, 10);
        row->found = parts.n > 2;
    }
    ck_assert_int_eq(model_new(&config, &model, NULL), 0);
    model->nodes[0].rec.hardware = xcalloc(1, sizeof(*model->nodes[0].rec.hardware));
    node_hardware_init(model->nodes[0].rec.hardware);
    return model;
}

/* The node tells "nvidia_a:0, nvidia_a:1": models, each near the core of that number. */
static bool take(struct model *model, const char *gpus)
{
    AUTO(words) struct words words = words_split(gpus, ",");
    struct node_hardware *hardware = model->nodes[0].rec.hardware;

    node_hardware_clear(hardware);
    node_hardware_init(hardware);
    for (uint32_t i = 0; i < words.n; i++) {
        struct node_gpu *gpu = ARRAY_PUSH(hardware->gpus, hardware->gpus_n);
        char *core = strchr(words.at[i], ':');

        node_gpu_init(gpu);
        gpu->name = xstrndup(words.at[i], strcspn(words.at[i], ":"));
        gpu->file = xasprintf("/dev/%u", i);
        if (core)
            *ARRAY_PUSH(gpu->cores, gpu->cores_n) = (uint32_t)strtoul(core + 1, NULL, 10);
    }
    return node_take_found(model, &model->nodes[0]);
}

static char *rows_of(const struct model *model)
{
    const struct node_info *info = model->nodes[0].conf;
    struct strbuf out = { 0 };

    for (uint32_t i = 0; i < info->devices_n; i++) {
        const struct gres_info *row = &info->devices[i];

        strbuf_addf(&out, "%s%s%s%s %llu", i ? ", " : "", row->name, row->type ? ":" : "",
                    row->type ? row->type : "", (unsigned long long)row->count);
        for (uint32_t k = 0; k < row->files_n; k++)
            strbuf_addf(&out, " %s", row->files[k]);
        for (uint32_t k = 0; k < row->cores_n; k++)
            strbuf_addf(&out, " near %u", row->cores[k]);
    }
    return out.len ? strbuf_steal(&out) : NULL;
}

static const struct {
    const char *rows, *gpus, *result;
    uint64_t missing;
} takes[] = {
    { "gpu 2 found", "a,a", "gpu 2 /dev/0 /dev/1", 0 },
    { "gpu 2 found", "a:0,a:1", "gpu 1 /dev/0 near 0, gpu 1 /dev/1 near 1", 0 },
    { "gpu 3 found,band 1000", "a:0,a:0,a:1",
      "gpu 2 /dev/0 /dev/1 near 0, gpu 1 /dev/2 near 1, "
      "band 1000",
      0 },
    { "gpu:A100 1 found,gpu:t4 1 found", "tesla_t4,nvidia_a100-pcie-40gb",
      "gpu:A100 1 /dev/1, gpu:t4 1 /dev/0", 0 },
    /* More than slurm.conf says are not used, fewer are missing. */
    { "gpu 1 found", "a,a", "gpu 1 /dev/0", 0 },
    { "gpu 3 found", "a", "gpu 1 /dev/0, gpu 2", 2 },
    { "gpu:t4 1 found", "a", "gpu:t4 1", 1 },
    { "gpu 2 found", "", "gpu 2", 2 },
    /* What gres.conf describes is not touched. */
    { "gpu 2", "a:0,a:1", "gpu 2", 0 },
};

START_TEST(rows_become_what_the_node_has_found)
{
    struct model *model = model_with(takes[_i].rows);
    AUTO_FREE char *rows = NULL;

    take(model, takes[_i].gpus);
    rows = rows_of(model);

    ck_assert_str_eq(rows, takes[_i].result);
    ck_assert_uint_eq(node_missing_gpus(&model->nodes[0]), takes[_i].missing);
    model_free(model);
}
END_TEST

START_TEST(what_is_told_again_changes_nothing_and_what_is_new_does)
{
    struct model *model = model_with("gpu 2 found");
    AUTO_FREE char *rows = NULL;

    ck_assert(take(model, "a:0,a:1"));
    ck_assert(!take(model, "a:0,a:1"));
    ck_assert(take(model, "a:1,a:1"));
    rows = rows_of(model);

    ck_assert_str_eq(rows, "gpu 2 /dev/0 /dev/1 near 1");
    model_free(model);
}
END_TEST

START_TEST(devices_in_use_stay_in_use_under_their_numbers)
{
    struct model *model = model_with("gpu 3 found,band 1000");
    struct node *node = &model->nodes[0];
    struct job_gres held[2];
    struct job_node place = { .gres = held, .gres_n = 2 };
    AUTO_FREE char *used = NULL;

    job_gres_init(&held[0]);
    job_gres_init(&held[1]);
    held[0].name = (char *)(uintptr_t) "gpu";
    held[0].devices = &(uint32_t){ 2 };
    held[0].count = held[0].devices_n = 1;
    held[1].name = (char *)(uintptr_t) "band";
    held[1].count = 7;
    node_hold_gres(node, &place);
    take(model, "a:0,a:1,a:2");

    used = node_gres_used(node);
    ck_assert_str_eq(used, "gpu:1(IDX:2),band:7");
    node_release_gres(node, &place);
    ck_assert_uint_eq(node->gres_used[2], 0);
    ck_assert_uint_eq(node->gres_used[3], 0);
    model_free(model);
}
END_TEST

CHECK_MAIN(gres_found, LOOP_CASE(rows_become_what_the_node_has_found, ARRAY_N(takes)),
           CASE(what_is_told_again_changes_nothing_and_what_is_new_does),
           CASE(devices_in_use_stay_in_use_under_their_numbers))
