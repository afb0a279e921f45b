/*
 * monitor.h - the root half of the node daemon: obeys the verbs of its own agent, and only those.
 *
 * Owns SlurmdSpoolDir and the records of steps. Speaks to no network, parses no launch body, calls
 * no name service. A launch needs a credential that the controller has signed; the controller's
 * key is taken from a credential that SlurmUser made, as authd says.
 */
#pragma once

#include "common/authc/authc.h"
#include "common/base/clock.h"
#include "common/base/log.h"
#include "noded/cgroup/cgroup.h"
#include "noded/hooks/acts.h"
#include "noded/hooks/hooks.h"
#include "noded/monitor/unkillable.h"
#include "noded/bind/plan.h"
#include "noded/stepd/bounds.h"
#include "noded/stepd/container.h"

struct event_base;
struct monitor;

/* What a monitor works with, borrowed; must outlive it. */
struct monitor_options {
    const char *cluster;
    const char *node;
    const char *boot_id;
    const char *spool_dir;
    const char *conf_path; /* of slurm.conf when it is not at its usual place, else NULL */
    uint32_t slurm_uid;    /* SlurmUser's */
    struct authc_options authc;
    struct clock clock;
    const char *task_prolog, *task_epilog; /* of slurm.conf; NULL: none */
    const struct cgroup_root *cgroups;
    const struct bounds *bounds;
    const struct bind_conf *bind;
    const struct conf_container *container;
    bool use_pam;
    uint32_t sample_s;                    /* JobAcctGatherFrequency of tasks */
    struct unkillable_options unkillable; /* so with this */
    struct hooks_options hooks;           /* but for what is said above */
    struct acts_options acts;             /* likewise */
    struct log *log;
    const char *log_path; /* NULL: stderr */
    enum log_level log_level;

    /* Called from the loop when the controller orders one of enum node_act that runs no program. */
    void (*on_order)(void *ctx, const struct node_cred *order);
    void *ctx;
};

/* Opens the spool directory, making it where needed, and takes up the steps it finds there. */
int monitor_new(struct event_base *base, const struct monitor_options *options,
                struct monitor **ret, struct err *err);

/* Frees the monitor. Steps go on; a later monitor finds them. NULL is fine. */
struct monitor *monitor_free(struct monitor *monitor);

/* Returns how many steps run, or have a result that the controller does not have yet. */
uint32_t monitor_steps_n(const struct monitor *monitor);

/* Sets the log level of steps that start from now on. */
void monitor_set_log_level(struct monitor *monitor, enum log_level level);

/* Lets the agent and all steps go on in another file of the log. `fd` stays the caller's. */
void monitor_pass_log(struct monitor *monitor, int fd);

/* Takes `fd`, which the monitor then owns: the agent is at its other end from now on. */
void monitor_attach(struct monitor *monitor, int fd);
