/*
 * beside.h - gres.conf and topology.conf, which stand in the directory of slurm.conf.
 *
 * Commands do without them; whoever places jobs reads them right after slurm.conf, into the same
 * configuration. Both files say in their notes and errors which line is meant.
 */
#pragma once

#include "common/conf/slurm_conf.h"

/*
 * Fills conf_node.devices from gres.conf (which may be missing) and Gres= of slurm.conf, and
 * slurm_conf.switches from topology.conf when TopologyPlugin=topology/tree (it must be there then).
 * `notes` may be NULL.
 */
int conf_load_beside(struct slurm_conf *conf, struct conf_notes *notes, struct err *err) MUST_CHECK;

/* Only conf_node.devices of that: a node needs no more. */
int conf_load_gres(struct slurm_conf *conf, struct conf_notes *notes, struct err *err) MUST_CHECK;

/* The same as conf_load_beside with files that come from somewhere else. */
int conf_load_beside_from(struct slurm_conf *conf, conf_read_fn read, void *ctx,
                          struct conf_notes *notes, struct err *err) MUST_CHECK;

/*
 * Gives the node other generic resources, as Gres= has them. What gres.conf says more about than
 * how many there are has to stay as it is. Fails with E_GRES or as gres_parse, and changes nothing.
 */
int conf_node_set_gres(const struct slurm_conf *conf, struct conf_node *node, const char *text,
                       struct err *err);

/* The path of the file `name` in the directory of the file `conf_path`; new memory. */
char *conf_path_beside(const char *conf_path, const char *name);

/* For slurm_conf_free. */
void conf_devices_clear(struct conf_node *node);
void conf_switches_clear(struct slurm_conf *conf);
