/*
 * agent.h - the network half of the node daemon, without any rights of its own.
 *
 * Keeps one session to slurmctld open, registers the node, passes orders on to the monitor and
 * reports back. It can neither run anything nor claim to be another node: root, at the other end of
 * its socket, checks. It never sees what users' tasks read or write.
 */
#pragma once

#include "common/authc/authc.h"
#include "common/base/clock.h"
#include "common/base/log.h"
#include "common/conf/slurm_conf.h"
#include "common/msg/hook.h"
#include "common/msg/node.h"

/* What an agent works with, borrowed for as long as it runs. */
struct agent_options {
    const char *cluster;
    const char *node;
    const char *host; /* name of this machine */
    const char *boot_id;
    char *const *controllers; /* addresses, in the order to try */
    uint32_t controllers_n;
    uint16_t controller_port;
    uint32_t heartbeat_ms; /* of the session */
    uint32_t slurm_uid;    /* the controller's; root is accepted too */
    uint16_t port;         /* SlurmdPort */
    const char *tmp_fs;
    const char *cgroup_mode;
    const struct conf_device *devices; /* generic resources of this node */
    uint32_t devices_n;
    const struct node_gpu *gpus; /* that root has found */
    uint32_t gpus_n;
    const char *log_file; /* NULL: none */
    uint32_t hooks;       /* enum node_hooks */
    int64_t started;      /* when slurmd did; an agent that follows another one is not news */
    int64_t conf_read_ms; /* clock_mono_ms when the configuration was last read */
    uint64_t conf_digest; /* of it */
    struct authc_options authc;
    struct clock clock;
    struct log *log; /* its level may be set by the controller */
};

/* Runs until the monitor at the other end of `fd` is gone. Returns an exit status. */
int agent_run(const struct agent_options *options, int fd);
