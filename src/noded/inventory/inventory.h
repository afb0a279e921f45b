/*
 * inventory.h - what this machine has, and which of its boots this is.
 *
 * Reads /proc, and the cpus by hwloc; what cannot be read counts as one socket of one core, or 0.
 */
#pragma once

#include "common/msg/node.h"

/* Where to look; other roots than the kernel's are for tests. */
struct inventory_where {
    const char *proc;
    const char *synthetic; /* cpus, see cpu_tree.h; NULL: this machine's */
    const char *tmp_fs;    /* TmpFS of slurm.conf */
};
#define INVENTORY_WHERE                                                                            \
    (struct inventory_where)                                                                       \
    {                                                                                              \
        "/proc", NULL, "/tmp"                                                                      \
    }

/* Initialises and fills ret, but for cgroup_mode. Release with node_hardware_clear. */
void inventory_read(const struct inventory_where *where, struct node_hardware *ret);

/*
 * Reads the boot identity: the kernel's boot id and the start of pid 1, so that a restarted
 * container or namespace counts as a boot too. *ret is to be freed.
 */
int inventory_boot_id(const struct inventory_where *where, char **ret, struct err *err);

struct inventory_load {
    uint32_t load_percent; /* of one minute, times 100 */
    uint64_t free_memory_mb;
    uint64_t uptime_s;
};
struct inventory_load inventory_load(const struct inventory_where *where);

/*
 * Appends the two lines that `slurmd -C` prints: one for slurm.conf, with Gres= where the hardware
 * has gpus, and UpTime.
 */
void inventory_format(const char *node, const struct node_hardware *hardware, uint64_t uptime_s,
                      struct strbuf *out);
