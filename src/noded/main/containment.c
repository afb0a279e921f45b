/* Finds how far this node's steps are bounded: what cgroup.conf, slurm.conf and the machine say. */
#include <unistd.h>

#include "common/conf/beside.h"
#include "common/conf/paths.h"
#include "common/text/words.h"
#include "noded/hooks/programs.h"
#include "noded/inventory/inventory.h"
#include "noded/main/daemon.h"
#include "noded/stepd/container.h"

/* Finds which cpus of the machine those of slurm.conf are; where that cannot be said, none is
 * bound. */
static void find_cpus(const struct daemon *daemon, struct settings *settings)
{
    const struct conf_node *node = settings->node;
    AUTO(cpu_tree) struct cpu_tree tree = { 0 };
    const struct tree_shape shape = {
        .cpus = node->cpus,
        .sockets = node->sockets,
        .cores_per_socket = node->cores_per_socket,
        .threads_per_core = node->threads_per_core,
        .overrides = list_has_word(settings->conf->slurmd_params, "config_overrides"),
    };
    const bool affinity = settings->conf->task_plugins & CONF_TASK_AFFINITY;
    struct err err = { 0 };
    int rc;

    if (!settings->bounds.conf.constrain_cores && !affinity)
        return;
    rc = cpu_tree_read(NULL, &tree, &err);
    if (rc == 0)
        rc = cpu_tree_count_as(&tree, &shape, &err);
    if (rc < 0) {
        log_error(daemon->log, "%s: %s: jobs are not bound to their cores",
                  affinity ? "TaskPlugin=task/affinity" : "ConstrainCores", err.text);
        settings->bind.unknown = affinity;
        return;
    }
    settings->bounds.tree = xmemdup(&tree, sizeof(tree));
    tree = (struct cpu_tree){ 0 };
    if (affinity)
        settings->bind = (struct bind_conf){
            .tree = settings->bounds.tree,
            .otherwise = (enum cpu_bind_kind)settings->conf->autobind,
        };
}

static void add_device(struct bounds *bounds, const char *files)
{
    AUTO(words) struct words parts = words_split(files, ",");

    for (uint32_t i = 0; i < parts.n; i++)
        *ARRAY_PUSH(bounds->devices, bounds->devices_n) = xstrdup(parts.at[i]);
}

/* Finds the files of this node's devices, from gres.conf and those that it finds. */
static int find_devices(const struct daemon *daemon, struct settings *settings,
                        struct conf_notes *notes, struct err *err)
{
    struct bounds *bounds = &settings->bounds;
    struct err why = { 0 };
    int rc = settings->conf->gres_types ? conf_load_gres(settings->conf, notes, err) : 0;

    if (rc < 0)
        return rc;
    if (settings_find_gpus(settings, &why) < 0)
        log_error(daemon->log, "AutoDetect=nvml: %s: %u gpus have device files", why.text,
                  settings->gpus_n);
    for (uint32_t i = 0; i < settings->node->devices_n; i++) {
        const struct conf_device *device = &settings->node->devices[i];

        for (uint32_t k = 0; k < device->files_n; k++)
            add_device(bounds, device->files[k]);
    }
    for (uint32_t i = 0; i < settings->gpus_n; i++)
        add_device(bounds, settings->gpus[i].file);
    return 0;
}

/* Checks that nobody else can change the script, since root runs it. */
static int check_init_script(struct conf_container *container, struct err *err)
{
    AUTO_FREE char *real = NULL;
    int rc = 0;

    if (container->base_path && container->init_script)
        rc = as_root_check_program(container->init_script, &real, err);
    if (rc < 0)
        return err_prefix(err, "InitScript of job_container.conf");
    if (real)
        xstrset(&container->init_script, real);
    return 0;
}

static void expand_base_path(const struct daemon *daemon, struct settings *settings)
{
    AUTO_FREE char *pattern = STEAL(settings->container.base_path);

    if (pattern)
        settings->container.base_path =
            conf_path_expand(pattern, daemon->host, settings->node->name);
}

/* Loads job_container.conf, which only root can use; the log says so when there is no root. */
static int load_container(const struct daemon *daemon, struct settings *settings,
                          struct conf_notes *notes, struct err *err)
{
    const struct slurm_conf *conf = settings->conf;
    int rc;

    if (!conf->job_container_type || !word_is(conf->job_container_type, "job_container/tmpfs"))
        return 0;
    if (geteuid() != 0) {
        log_error(daemon->log, "JobContainerType=%s takes root: jobs share /tmp",
                  conf->job_container_type);
        return 0;
    }
    rc = conf_container_load(conf->path, settings->node->name, settings_read_file, settings, notes,
                             &settings->container, err);
    if (rc < 0)
        return rc;
    expand_base_path(daemon, settings);
    rc = as_root_container_check(&settings->container, err);
    return rc < 0 ? rc : check_init_script(&settings->container, err);
}

int settings_load_bounds(const struct daemon *daemon, struct settings *settings,
                         struct conf_notes *notes, struct err *err)
{
    const struct slurm_conf *conf = settings->conf;
    struct bounds *bounds = &settings->bounds;
    AUTO(node_hardware) struct node_hardware hardware;
    int rc = conf_cgroup_load(conf->path, settings_read_file, settings, notes, &bounds->conf, err);

    if (rc < 0)
        return rc;
    if (!(conf->task_plugins & CONF_TASK_CGROUP)) {
        /* Without task/cgroup nothing is bound: cgroups only keep a step's processes together. */
        bounds->conf.constrain_cores = bounds->conf.constrain_ram = false;
        bounds->conf.constrain_swap = bounds->conf.constrain_devices = false;
    }
    inventory_read(&INVENTORY_WHERE, &hardware);
    bounds->node_memory_mb =
        settings->node->memory_given ? settings->node->memory_mb : hardware.memory_mb;
    bounds->counts = list_has_word(conf->gather_params, "UsePss")     ? USAGE_PSS
                     : list_has_word(conf->gather_params, "NoShared") ? USAGE_PRIVATE
                                                                      : USAGE_RSS;
    bounds->over_memory_kill = list_has_word(conf->gather_params, "OverMemoryKill");
    find_cpus(daemon, settings);
    rc = find_devices(daemon, settings, notes, err);
    return rc < 0 ? rc : load_container(daemon, settings, notes, err);
}

void settings_clear_bounds(struct settings *settings)
{
    if (settings->bounds.tree)
        cpu_tree_clear(settings->bounds.tree);
    free(settings->bounds.tree);
    for (uint32_t i = 0; i < settings->bounds.devices_n; i++)
        free(settings->bounds.devices[i]);
    free(settings->bounds.devices);
    conf_cgroup_clear(&settings->bounds.conf);
    settings_clear_gpus(settings);
    conf_container_clear(&settings->container);
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
