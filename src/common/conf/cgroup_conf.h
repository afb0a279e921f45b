/*
 * cgroup_conf.h - how far cgroups bound what jobs use, from cgroup.conf beside slurm.conf.
 *
 * Only node daemons read it. Without the file everything has its default, and nothing is bounded.
 */
#pragma once

#include "common/conf/notes.h"

enum conf_cgroup_plugin {
    CONF_CGROUP_AUTODETECT,
    CONF_CGROUP_V1,
    CONF_CGROUP_V2,
    CONF_CGROUP_DISABLED,
};

/* Percentages are in hundredths: 10050 is 100.5 %. */
struct conf_cgroup {
    uint32_t plugin; /* enum conf_cgroup_plugin */
    bool constrain_cores, constrain_ram, constrain_swap, constrain_devices;
    uint32_t allowed_ram, allowed_swap; /* of what the job asked for */
    uint32_t max_ram, max_swap;         /* of the node's memory */
    uint32_t min_ram_mb;
    bool ignore_systemd;
};

/*
 * `conf_path` is slurm.conf's. Fails naming file, line and column; *ret is set in any case, and
 * then holds the defaults. `notes` may be NULL.
 */
int conf_cgroup_load(const char *conf_path, conf_read_fn read, void *ctx, struct conf_notes *notes,
                     struct conf_cgroup *ret, struct err *err);
