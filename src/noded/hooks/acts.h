/*
 * acts.h - what a node does for itself when the controller says so: HealthCheckProgram and
 * RebootProgram, as root, each by itself.
 *
 * Runs on the monitor's loop. What such a program comes to is only logged: one that finds the node
 * ill says so itself (scontrol update nodename=...).
 */
#pragma once

#include "common/base/log.h"
#include "common/msg/hook.h"

struct event_base;
struct acts;

/* What acts work with, borrowed; must outlive them. */
struct acts_options {
    const char *health, *reboot; /* of slurm.conf; NULL: none */
    const char *node, *conf_path;
    struct log *log;
};

/* Makes the runner of acts; `spool_fd` is borrowed. */
struct acts *acts_new(struct event_base *base, int spool_fd, const struct acts_options *options);
struct acts *acts_free(struct acts *acts); /* what runs goes on; NULL is fine */

/* Runs the program of an act. Nothing happens while the last one of its kind still runs. */
void acts_run(struct acts *acts, enum node_act act);
