/* paths.h - places that a configuration implies without naming them. */
#pragma once

#include "common/conf/slurm_conf.h"

/*
 * The controller's Unix socket: SlurmctldPidFile with ".sock" for ".pid". Where it exists, clients
 * on the controller's machine use it, and the kernel says who they are. free() it.
 */
char *conf_controller_socket(const struct slurm_conf *conf);
