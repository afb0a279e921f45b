/* cgroup.conf on bytes. What loads has percentages that can be multiplied, what does not says why.
 */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "common/conf/cgroup_conf.h"

#define HUNDREDTHS_MAX 100000099u

struct input {
    const uint8_t *data;
    size_t size;
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int read_input(void *ctx, const char *path, struct strbuf *text, struct err *err)
{
    const struct input *in = ctx;

    if (strcmp(path, "cgroup.conf") != 0)
        return err_set(err, ENOENT, "no such input");
    strbuf_add(text, in->data, in->size);
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    AUTO(conf_notes) struct conf_notes notes = { 0 };
    struct conf_cgroup conf;
    struct input in = { data, size };
    struct err err = { 0 };

    if (conf_cgroup_load("slurm.conf", read_input, &in, &notes, &conf, &err) < 0 && !err.text[0])
        abort();
    if (conf.allowed_ram > HUNDREDTHS_MAX || conf.allowed_swap > HUNDREDTHS_MAX ||
        conf.max_ram > HUNDREDTHS_MAX || conf.max_swap > HUNDREDTHS_MAX ||
        conf.plugin > CONF_CGROUP_DISABLED)
        abort();
    return 0;
}
