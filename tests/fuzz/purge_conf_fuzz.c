/* slurmdbd.conf on bytes. What loads has ages that give a moment in the past, or none. */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "common/conf/purge_conf.h"

#define NOW INT64_C(1795302930)

struct input {
    const uint8_t *data;
    size_t size;
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int read_input(void *ctx, const char *path, struct strbuf *text, struct err *err)
{
    const struct input *in = ctx;

    if (strcmp(path, "slurmdbd.conf") != 0)
        return err_set(err, ENOENT, "no such input");
    strbuf_add(text, in->data, in->size);
    return 0;
}

static void check_age(const struct conf_age *age)
{
    int64_t before = conf_age_before(age, NOW);

    if (before >= NOW || (age->count == 0) != (before == 0))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    AUTO(conf_purge) struct conf_purge purge;
    struct input in = { data, size };
    struct err err = { 0 };

    if (conf_purge_load("slurm.conf", read_input, &in, &purge, &err) < 0 && !err.text[0])
        abort();
    check_age(&purge.jobs);
    check_age(&purge.steps);
    return 0;
}
