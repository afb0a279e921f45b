/* cgroup.conf on bytes. What loads has percentages that can be multiplied, what does not says why.
 */
#include <stdlib.h>

#include "common/conf/cgroup_conf.h"
#include "one_file.h"

#define HUNDREDTHS_MAX 100000099u

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    AUTO(conf_notes) struct conf_notes notes = { 0 };
    AUTO(conf_cgroup) struct conf_cgroup conf = { 0 };
    struct one_file in = { "cgroup.conf", data, size };
    struct err err = { 0 };

    if (conf_cgroup_load("slurm.conf", read_one_file, &in, &notes, &conf, &err) < 0 && !err.text[0])
        abort();
    if (conf.allowed_ram > HUNDREDTHS_MAX || conf.allowed_swap > HUNDREDTHS_MAX ||
        conf.max_ram > HUNDREDTHS_MAX || conf.max_swap > HUNDREDTHS_MAX ||
        conf.plugin > CONF_CGROUP_DISABLED)
        abort();
    return 0;
}
