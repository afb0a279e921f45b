#include "noded/stepd/bounds.h"

#include "common/conf/slurm_conf.h"
#include "common/text/words.h"

#define KB_PER_MB  UINT64_C(1024)
#define PART_WHOLE UINT64_C(10000) /* 100 %, in hundredths of a percent */

static uint64_t part_kb(uint64_t mb, uint32_t part)
{
    return mb * KB_PER_MB / PART_WHOLE * part + mb * KB_PER_MB % PART_WHOLE * part / PART_WHOLE;
}

static uint64_t at_most(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/*
 * Returns the bounds. Swap alone bounded is as the manual of cgroup.conf has it: what was asked for
 * and the swap allowed make one bound, of memory and of both together.
 */
struct cgroup_memory bounds_memory(const struct bounds *bounds, uint64_t asked_mb)
{
    const struct conf_cgroup *conf = &bounds->conf;
    const uint64_t mb = asked_mb && asked_mb != MB_UNSET ? asked_mb : bounds->node_memory_mb;
    const uint64_t least_kb = (uint64_t)conf->min_ram_mb * KB_PER_MB;
    struct cgroup_memory memory = { .has_swap = conf->constrain_swap,
                                    .has_swappiness =
                                        conf->constrain_swap && conf->swappiness != CONF_UNSET,
                                    .swappiness = conf->swappiness };

    memory.ram_kb = at_most(part_kb(mb, conf->constrain_ram ? conf->allowed_ram : PART_WHOLE),
                            part_kb(bounds->node_memory_mb, conf->max_ram));
    if (conf->constrain_swap)
        memory.swap_kb = at_most(part_kb(mb, conf->allowed_swap),
                                 part_kb(bounds->node_memory_mb, conf->max_swap));
    if (!conf->constrain_ram) {
        memory.ram_kb += memory.swap_kb;
        memory.swap_kb = 0;
    }
    if (memory.ram_kb < least_kb)
        memory.ram_kb = least_kb;
    if (conf->constrain_ram && memory.ram_kb > mb * KB_PER_MB && mb * KB_PER_MB > least_kb)
        memory.soft_kb = mb * KB_PER_MB;
    return memory;
}

static void note(int rc, const struct err *err, struct strbuf *lines)
{
    if (rc < 0)
        strbuf_addf(lines, "%s\n", err->text);
}

static void bound_cpus(const struct bounds *bounds, const struct cgroup *cgroup,
                       enum cgroup_level level, const uint32_t *numbers, uint32_t numbers_n,
                       struct strbuf *lines)
{
    AUTO_FREE uint32_t *cpus = NULL;
    uint32_t n = bounds->tree ? cpu_tree_map(bounds->tree, numbers, numbers_n, &cpus) : 0;
    struct err err = { 0 };

    if (n)
        note(cgroup_limit_cpus(cgroup, level, cpus, n, &err), &err, lines);
}

static void bound_memory(const struct bounds *bounds, const struct cgroup *cgroup,
                         enum cgroup_level level, uint64_t asked_mb, struct strbuf *lines)
{
    const struct cgroup_memory memory = bounds_memory(bounds, asked_mb);
    struct err err = { 0 };

    note(cgroup_limit_memory(cgroup, level, &memory, &err), &err, lines);
}

static bool is_one_of(const struct words *files, const struct cgroup_device *device)
{
    struct cgroup_device given;

    for (uint32_t i = 0; i < files->n; i++) {
        if (cgroup_device_find(files->at[i], &given) && given.is_block == device->is_block &&
            given.major == device->major && given.minor == device->minor)
            return true;
    }
    return false;
}

static bool is_given(const struct launch_cred *cred, const struct cgroup_device *device)
{
    bool given = false;

    for (uint32_t i = 0; i < cred->devices_n && !given; i++) {
        AUTO(words) struct words files = words_split(cred->devices[i], ",");

        given = is_one_of(&files, device);
    }
    return given;
}

/* Denies files of gres.conf that the step was not given; those that are no devices cannot be kept
 * from it. */
static void bound_devices(const struct bounds *bounds, const struct cgroup *cgroup,
                          const struct launch_cred *cred, struct strbuf *lines)
{
    AUTO_FREE struct cgroup_device *denied = NULL;
    struct cgroup_device device;
    struct err err = { 0 };
    uint32_t n = 0;

    for (uint32_t i = 0; i < bounds->devices_n; i++) {
        if (cgroup_device_find(bounds->devices[i], &device) && !is_given(cred, &device))
            *ARRAY_PUSH(denied, n) = device;
    }
    if (n)
        note(cgroup_deny_devices(cgroup, denied, n, &err), &err, lines);
}

bool bounds_hide_devices(const struct bounds *bounds, const struct cgroup_root *root)
{
    return bounds->conf.constrain_devices && cgroup_root_has(root, CGROUP_USE_DEVICES);
}

void bounds_apply(const struct bounds *bounds, const struct cgroup_root *root,
                  const struct cgroup *cgroup, const struct launch_cred *cred, struct strbuf *lines)
{
    const struct conf_cgroup *conf = &bounds->conf;

    if (conf->constrain_cores && cgroup_root_has(root, CGROUP_USE_CPUS)) {
        bound_cpus(bounds, cgroup, CGROUP_STEP, cred->cpus, cred->cpus_n, lines);
        bound_cpus(bounds, cgroup, CGROUP_JOB, cred->job_cpus, cred->job_cpus_n, lines);
    }
    if ((conf->constrain_ram || conf->constrain_swap) && cgroup_root_has(root, CGROUP_USE_MEMORY)) {
        bound_memory(bounds, cgroup, CGROUP_STEP, cred->memory, lines);
        bound_memory(bounds, cgroup, CGROUP_JOB, cred->job_memory, lines);
    }
    if (bounds_hide_devices(bounds, root))
        bound_devices(bounds, cgroup, cred, lines);
}
