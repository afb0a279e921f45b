/*
 * cgroup_conf.h - how far cgroups bound what jobs use, from cgroup.conf beside slurm.conf.
 *
 * Only node daemons read it. Without the file everything has its default, and nothing is bounded.
 */
#pragma once

#include "common/base/strbuf.h"
#include "common/conf/notes.h"

#define CGROUP_IDLE_KEYS 9

enum conf_cgroup_plugin {
    CONF_CGROUP_AUTODETECT,
    CONF_CGROUP_V1,
    CONF_CGROUP_V2,
    CONF_CGROUP_DISABLED,
};

/* The values of cgroup.conf. Percentages are in hundredths: 10050 is 100.5 %. */
struct conf_cgroup {
    uint32_t plugin; /* enum conf_cgroup_plugin */
    bool constrain_cores, constrain_ram, constrain_swap, constrain_devices;
    uint32_t allowed_ram, allowed_swap; /* of what the job asked for */
    uint32_t max_ram, max_swap;         /* of the node's memory */
    uint32_t min_ram_mb;
    uint32_t swappiness; /* of memory on v1; CONF_UNSET: the kernel's own */
    bool ignore_systemd;
    char *idle[CGROUP_IDLE_KEYS]; /* what is only shown */
};

/*
 * Reads cgroup.conf beside slurm.conf, whose path is `conf_path`. Fails naming file, line and
 * column; *ret is set in any case, to be cleared, and holds the defaults after a failure. `notes`
 * may be NULL.
 */
int conf_cgroup_load(const char *conf_path, conf_read_fn read, void *ctx, struct conf_notes *notes,
                     struct conf_cgroup *ret, struct err *err);
void conf_cgroup_clear(struct conf_cgroup *cgroup);
void conf_cgroup_auto_(struct conf_cgroup *cgroup);

/*
 * Appends the row-th key and its value as `scontrol show config` has them. Returns false after the
 * last row.
 */
bool conf_cgroup_show(const struct conf_cgroup *cgroup, uint32_t row, struct strbuf *key,
                      struct strbuf *value);
