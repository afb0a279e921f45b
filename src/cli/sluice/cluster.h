/*
 * cluster.h - a cluster of virtual nodes on this machine, everything under one directory:
 *
 *     etc/slurm.conf etc/munge.key   written by `up`
 *     run/      pid files and sockets      log/     one log a daemon
 *     state/    the controller's           spool/   the nodes'
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/base/alloc.h"

#define CLUSTER_NODES_MAX   1000
#define CLUSTER_NODES_USUAL 2

struct cluster {
    char *dir, *conf_path, *key_path, *auth_socket;
};

/* What is asked of the cluster; 0 and NULL where nothing is. */
struct cluster_shape {
    uint32_t nodes, cpus;
    uint64_t memory_mb;
    const char *extra_conf; /* file whose lines add to, or replace, those that we write */
};

/*
 * Sets the cluster's directory. `dir` NULL: $SLUICE_DIR, else $HOME/.sluice/cluster, for root
 * /var/lib/sluice/cluster.
 */
int cluster_init(struct cluster *cluster, const char *dir, struct err *err);
void cluster_clear(struct cluster *cluster);
void cluster_auto_(struct cluster *cluster);

/* Makes the directories, the key and slurm.conf, with free ports. */
int cluster_write(const struct cluster *cluster, const struct cluster_shape *shape,
                  struct err *err);

/* Returns the option by which verbs find the cluster, for hints: "" or " --dir DIR"; free() it. */
char *cluster_dir_option(const struct cluster *cluster);

bool cluster_exists(const struct cluster *cluster);
int cluster_remove(const struct cluster *cluster, struct err *err);

/* Appends the text in single quotes, as every shell takes it. */
struct strbuf;
void shell_quote(const char *text, struct strbuf *out);

/* Returns the pid of the daemon NAME (munged, slurmctld, node-1) if it runs, else 0. */
pid_t cluster_pid(const struct cluster *cluster, const char *name);

/* Starts the daemons that do not run; each is ready when this returns, the nodes may still
   register. */
int cluster_start(const struct cluster *cluster, struct err *err);

/* Ends the daemon with TERM, and with KILL after a while. */
void cluster_stop(const struct cluster *cluster, const char *name);

/* Reads the names of the nodes in the cluster's slurm.conf, in the file's order. */
struct hostlist;
int cluster_nodes(const struct cluster *cluster, struct hostlist **ret, struct err *err);
