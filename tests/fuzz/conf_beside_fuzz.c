/*
 * gres.conf and topology.conf on bytes, beside a fixed slurm.conf. A zero byte divides the two.
 * What loads keeps its promises: counts as slurm.conf says, switches below before those above.
 */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "common/conf/beside.h"

struct input {
    const uint8_t *data;
    size_t size;
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char slurm_conf[] = "GresTypes=gpu,mps,net\n"
                                 "TopologyPlugin=topology/tree\n"
                                 "NodeName=n[1-4] Sockets=2 CoresPerSocket=2 "
                                 "Gres=gpu:tesla:2,gpu:2,mps:100\n"
                                 "NodeName=n[5-8] CPUs=2 Gres=net:4K\n";

static int read_input(void *ctx, const char *path, struct strbuf *text, struct err *err)
{
    const struct input *in = ctx;
    const uint8_t *end = in->size ? memchr(in->data, 0, in->size) : NULL;
    size_t first_n = end ? (size_t)(end - in->data) : in->size;

    if (strcmp(path, "slurm.conf") == 0)
        strbuf_adds(text, slurm_conf);
    else if (strcmp(path, "gres.conf") == 0)
        strbuf_add(text, in->data, first_n);
    else if (strcmp(path, "topology.conf") == 0 && end)
        strbuf_add(text, end + 1, in->size - first_n - 1);
    else
        return err_set(err, ENOENT, "no such input");
    return 0;
}

static void check_devices(const struct conf_node *node, uint64_t expected)
{
    uint64_t count = 0;

    for (uint32_t i = 0; i < node->devices_n; i++) {
        const struct conf_device *device = &node->devices[i];

        count += device->count;
        if (device->files_n && device->files_n != device->count)
            abort();
    }
    if (count != expected)
        abort();
}

static void check_switches(const struct slurm_conf *conf)
{
    for (uint32_t i = 0; i < conf->switches_n; i++) {
        const struct conf_switch *sw = &conf->switches[i];

        if (sw->parent != CONF_UNSET && (sw->parent <= i || sw->parent >= conf->switches_n))
            abort();
        if (i > 0 && sw->level < conf->switches[i - 1].level)
            abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input in = { data, size };
    AUTO(conf_notes) struct conf_notes notes = { 0 };
    struct slurm_conf *conf = NULL;
    struct err err = { 0 };

    if (slurm_conf_load_from("slurm.conf", read_input, &in, &conf, NULL, &err) < 0)
        abort();
    if (conf_load_beside_from(conf, read_input, &in, &notes, &err) == 0) {
        for (uint32_t i = 0; i < conf->nodes_n; i++)
            check_devices(&conf->nodes[i], i < 4 ? 104 : 4096);
        check_switches(conf);
    }
    slurm_conf_free(conf);
    return 0;
}
