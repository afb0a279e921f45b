/*
 * paths.h - what follows from a configuration without being named in it: paths, and the time
 * between heartbeats.
 */
#pragma once

#include "common/conf/slurm_conf.h"

/*
 * Returns the path of the controller's Unix socket: SlurmctldPidFile with ".sock" for ".pid". Where
 * it exists, clients on the controller's machine use it, and the kernel says who they are. free()
 * it.
 */
char *conf_controller_socket(const struct slurm_conf *conf);

/* Expands a path for slurmd: "%h" becomes the host's name, "%n" the node's. To be freed. */
char *conf_path_expand(const char *pattern, const char *host, const char *node);

/*
 * Returns the time between heartbeats of a node's session, at both ends: a third of SlurmdTimeout,
 * so that a healthy node is never taken for a silent one, and at most CONF_HEARTBEAT_MAX_MS.
 */
#define CONF_HEARTBEAT_MAX_MS 20000
uint32_t conf_node_heartbeat_ms(const struct slurm_conf *conf);
