/*
 * stepd.h - one step on this node: a root parent that outlives monitor and agent, and a child that
 * runs as the user and knows what the launch body says.
 *
 * The parent makes the cgroup, delivers signals, leaves no process behind and writes the result.
 * It believes the credential and nothing else: the body is read by the child, as the user.
 */
#pragma once

#include "common/authc/authc.h"
#include "common/base/clock.h"
#include "common/base/log.h"
#include "common/msg/step.h"
#include "noded/bind/plan.h"
#include "noded/cgroup/cgroup.h"
#include "noded/stepd/bounds.h"
#include "noded/stepd/container.h"

/* What a step daemon starts with; borrowed, and needed only during stepd_start. Descriptors stay
 * the caller's. */
struct stepd_launch {
    const struct launch_cred *cred; /* checked */
    int spool_fd;                   /* SlurmdSpoolDir */
    int record_fd;                  /* the step's directory below it, with its launch record */
    int listen_fd;                  /* its control socket */
    int body_fd;                    /* content has the hash that the credential tells */
    int environment_fd;             /* -1: none */
    int script_fd;                  /* -1: none */
    const char *controller;         /* address that "@controller" stands for, or "" */
    const char *spool_dir;
    const char *conf_path; /* of slurm.conf when it is not the usual one, else NULL */
    const struct cgroup_root *cgroups;
    const struct bounds *bounds;
    const struct bind_conf *bind;
    const struct conf_container *container;
    bool use_pam;
    uint32_t sample_s;  /* most between two looks at the memory of tasks; 0: none is taken */
    uint32_t slurm_uid; /* SlurmUser's, who may look at the step */
    struct authc_options authc;
    struct clock clock;
    const char *task_prolog, *task_epilog; /* of slurm.conf; NULL: none */
    const char *log_path;                  /* NULL: stderr */
    enum log_level log_level;
};

/* Forks the step's root parent. What goes wrong from there on is in the step's report. */
int stepd_start(const struct stepd_launch *launch, pid_t *ret_pid, struct err *err);
