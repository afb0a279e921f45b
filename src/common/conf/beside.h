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

/* Fills only conf_node.devices, which is all that a node needs. */
int conf_load_gres(struct slurm_conf *conf, struct conf_notes *notes, struct err *err) MUST_CHECK;

/* Does what conf_load_beside does, with files that `read` gets. */
int conf_load_beside_from(struct slurm_conf *conf, conf_read_fn read, void *ctx,
                          struct conf_notes *notes, struct err *err) MUST_CHECK;

/*
 * Gives the node other generic resources, as Gres= has them. Where gres.conf says more of a
 * resource than its count, the count has to stay as it is. Fails with E_GRES or as gres_parse does,
 * and then changes nothing.
 */
int conf_node_set_gres(const struct slurm_conf *conf, struct conf_node *node, const char *text,
                       struct err *err);

/* Returns the path of the file `name` in the directory of the file `conf_path`, in new memory. */
char *conf_path_beside(const char *conf_path, const char *name);

/* Frees the node's devices, for slurm_conf_free. */
void conf_devices_clear(struct conf_node *node);
void conf_switches_clear(struct slurm_conf *conf);
