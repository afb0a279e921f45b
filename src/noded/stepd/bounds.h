/*
 * bounds.h - what cgroup.conf makes of the cpus, the memory and the devices of a step.
 */
#pragma once

#include "common/conf/cgroup_conf.h"
#include "common/msg/step.h"
#include "noded/cgroup/cgroup.h"
#include "noded/inventory/cpu_tree.h"
#include "noded/stepd/usage.h"

/* How far steps of this node are bounded. Borrowed by every launch. */
struct bounds {
    struct conf_cgroup conf; /* all Constrain of it are off without task/cgroup */
    struct cpu_tree *tree;   /* owned; NULL where its cpus cannot be told apart */
    char **devices;          /* files of gres.conf; owned, as is the list */
    uint32_t devices_n;
    uint64_t node_memory_mb; /* its RealMemory; what the machine has where that is not given */
    enum usage_memory counts;
    bool over_memory_kill; /* a step that is seen to hold more than it may is killed */
};

/* Returns the bound of who asked for `asked_mb`; 0 and MB_UNSET are all of the node. Pure. */
struct cgroup_memory bounds_memory(const struct bounds *bounds, uint64_t asked_mb);

/* Returns true if a step sees no devices of gres.conf but its own. */
bool bounds_hide_devices(const struct bounds *bounds, const struct cgroup_root *root);

/*
 * Bounds the step, and the job around it. What the kernel refuses is told in `lines`, one a line,
 * and the rest is bounded all the same.
 */
void bounds_apply(const struct bounds *bounds, const struct cgroup_root *root,
                  const struct cgroup *cgroup, const struct launch_cred *cred,
                  struct strbuf *lines);
