/* slurmdbd.conf on bytes. What loads has ages that give a moment in the past, or none. */
#include <stdlib.h>

#include "common/conf/dbd_conf.h"
#include "one_file.h"

#define NOW INT64_C(1795302930)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_age(const struct conf_age *age)
{
    int64_t before = conf_age_before(age, NOW);

    if (before >= NOW || (age->count == 0) != (before == 0))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    AUTO(conf_dbd) struct conf_dbd purge;
    struct one_file in = { "slurmdbd.conf", data, size };
    struct err err = { 0 };

    if (conf_dbd_load("slurm.conf", read_one_file, &in, NULL, &purge, &err) < 0 && !err.text[0])
        abort();
    check_age(&purge.jobs);
    check_age(&purge.steps);
    return 0;
}
