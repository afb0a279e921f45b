/* How far this node's steps are bounded: cgroup.conf, what slurm.conf says about it, the machine.
 */
#include "common/text/words.h"
#include "noded/inventory/inventory.h"
#include "noded/main/daemon.h"

static bool kills_over_memory(const char *params)
{
    AUTO(words) struct words words = words_split(params ? params : "", ",");

    for (uint32_t i = 0; i < words.n; i++) {
        if (word_is(words.at[i], "OverMemoryKill"))
            return true;
    }
    return false;
}

/* task/cgroup is what bounds; without it cgroups only keep the processes of a step together. */
static void switch_off(struct conf_cgroup *conf)
{
    conf->constrain_cores = conf->constrain_ram = false;
    conf->constrain_swap = conf->constrain_devices = false;
}

static void find_cpus(const struct daemon *daemon, const struct settings *settings,
                      struct bounds *bounds)
{
    struct err err = { 0 };

    if (bounds->conf.constrain_cores &&
        cgroup_cpus_read("/sys", settings->node->cpus, &bounds->cpus, &err) < 0)
        log_error(daemon->log, "ConstrainCores: %s: jobs are not bound to their cores", err.text);
}

int settings_load_bounds(const struct daemon *daemon, struct settings *settings,
                         struct conf_notes *notes, struct err *err)
{
    const struct slurm_conf *conf = settings->conf;
    struct bounds *bounds = &settings->bounds;
    AUTO(node_hardware) struct node_hardware hardware;
    int rc = conf_cgroup_load(conf->path, conf_read_disk, NULL, notes, &bounds->conf, err);

    if (rc < 0)
        return rc;
    if (!(conf->task_plugins & CONF_TASK_CGROUP))
        switch_off(&bounds->conf);
    inventory_read(&INVENTORY_WHERE, &hardware);
    bounds->node_memory_mb = hardware.memory_mb;
    bounds->over_memory_kill = kills_over_memory(conf->gather_params);
    find_cpus(daemon, settings, bounds);
    return 0;
}

void settings_clear_bounds(struct bounds *bounds)
{
    cgroup_cpus_clear(&bounds->cpus);
}

struct cgroup_root *settings_find_cgroups(const struct daemon *daemon)
{
    static const enum cgroup_choice choices[] = {
        [CONF_CGROUP_AUTODETECT] = CGROUP_BEST,
        [CONF_CGROUP_V1] = CGROUP_ONLY_V1,
        [CONF_CGROUP_V2] = CGROUP_ONLY_V2,
        [CONF_CGROUP_DISABLED] = CGROUP_DISABLED,
    };
    const struct conf_cgroup *conf = &daemon->settings.bounds.conf;
    struct cgroup_options options = {
        .node = daemon->options.node_name,
        .choice = choices[conf->plugin],
        .ignore_systemd = conf->ignore_systemd,
    };

    if (conf->constrain_cores)
        options.uses |= CGROUP_USE_CPUS;
    if (conf->constrain_ram || conf->constrain_swap)
        options.uses |= CGROUP_USE_MEMORY;
    if (conf->constrain_devices)
        options.uses |= CGROUP_USE_DEVICES;
    if (daemon->settings.conf->gather_type == CONF_GATHER_CGROUP)
        options.uses |= CGROUP_USE_TASKS;
    return cgroup_root_find(&CGROUP_WHERE, &options);
}
