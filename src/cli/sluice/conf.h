/*
 * conf.h - `sluice conf`: a NodeName line of slurm.conf beside the machine it is about.
 */
#pragma once

#include "common/conf/found.h"
#include "common/msg/node.h"

/*
 * Compares a NodeName line with what the machine has. `hardware` NULL: the line is taken whatever
 * that is. `exists` tells whether a path exists; NULL leaves devices alone.
 */
typedef bool (*conf_exists_fn)(const char *path);
void conf_check_hardware(const struct conf_node *node, const struct node_hardware *hardware,
                         conf_exists_fn exists, struct conf_notes *notes);

/* True with SlurmdParameters=config_overrides: nodes are what their lines say. */
bool conf_overrides(const struct slurm_conf *conf);
