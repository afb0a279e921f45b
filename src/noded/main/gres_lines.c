/* Serves slurmd -G: the generic resources of this node, by Gres= of slurm.conf and gres.conf. */
#include <stdio.h>

#include "common/conf/beside.h"
#include "common/text/numbers.h"
#include "noded/main/daemon.h"

static void add_device(const struct conf_device *device, struct strbuf *out)
{
    strbuf_addf(out, "Gres Name=%s", device->name);
    if (device->type)
        strbuf_addf(out, " Type=%s", device->type);
    strbuf_addf(out, " Count=%llu", (unsigned long long)device->count);
    for (uint32_t i = 0; i < device->files_n; i++)
        strbuf_addf(out, "%s%s", i ? "," : " File=", device->files[i]);
    if (device->cores_n) {
        strbuf_adds(out, " Cores=");
        numbers_format(device->cores, device->cores_n, out);
    }
    strbuf_addc(out, '\n');
}

/* Adds gpus of the node's own finding by their model, whatever slurm.conf calls them. */
static void add_found(const struct settings *settings, struct strbuf *out)
{
    for (uint32_t i = 0; i < settings->gpus_n; i++) {
        const struct node_gpu *gpu = &settings->gpus[i];
        const struct conf_device device = { .name = (char *)(uintptr_t) "gpu",
                                            .type = gpu->name,
                                            .count = 1,
                                            .files = (char **)(uintptr_t)&gpu->file,
                                            .files_n = 1,
                                            .cores = gpu->cores,
                                            .cores_n = gpu->cores_n };

        add_device(&device, out);
    }
}

static void add_all(const struct settings *settings, struct strbuf *out)
{
    for (uint32_t i = 0; i < settings->node->devices_n; i++) {
        if (!settings->node->devices[i].found)
            add_device(&settings->node->devices[i], out);
    }
    add_found(settings, out);
}

/* Finds gpus. What AutoDetect cannot do is no reason to say nothing of the rest. */
static void find_gpus(struct settings *settings)
{
    struct err err = { 0 };

    if (settings_find_gpus(settings, &err) < 0)
        fprintf(stderr, "slurmd: AutoDetect=nvml: %s\n", err.text);
}

int gres_lines_print(const struct daemon *daemon, struct err *err)
{
    AUTO(conf_notes) struct conf_notes notes = { 0 };
    AUTO(strbuf) struct strbuf text = { 0 };
    struct settings settings = { 0 };
    int rc = slurm_conf_load(daemon->options.conf_path, &settings.conf, &notes, err);

    if (rc == 0)
        rc = settings_find_node(daemon, &settings, err);
    if (rc == 0)
        rc = conf_load_gres(settings.conf, &notes, err);
    if (rc == 0) {
        find_gpus(&settings);
        add_all(&settings, &text);
    }
    fputs(strbuf_text(&text), stdout);
    settings_clear_gpus(&settings);
    slurm_conf_free(settings.conf);
    return rc;
}
