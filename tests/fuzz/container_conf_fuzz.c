/* job_container.conf on bytes. What loads names only full paths, and never the root. */
#include <stdlib.h>

#include "common/conf/container_conf.h"
#include "common/text/words.h"
#include "one_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const struct conf_container *conf)
{
    AUTO(words) struct words dirs = words_split(conf->dirs, ",");

    if (conf->base_path && conf->base_path[0] != '/')
        abort();
    for (uint32_t i = 0; i < dirs.n; i++) {
        if (dirs.at[i][0] != '/' || !dirs.at[i][1])
            abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    AUTO(conf_container) struct conf_container conf;
    struct one_file in = { "job_container.conf", data, size };
    struct err err = { 0 };
    int rc = conf_container_load("slurm.conf", "tux1", read_one_file, &in, NULL, &conf, &err);

    if (rc < 0 && !err.text[0])
        abort();
    if (rc == 0)
        check(&conf);
    return 0;
}
