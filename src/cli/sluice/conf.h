/*
 * conf.h - `sluice conf`: what is wrong with a slurm.conf, and what it comes to.
 */
#pragma once

#include "common/conf/slurm_conf.h"
#include "common/msg/node.h"

/* Owns all: `AUTO(conf_found) struct conf_found found = { 0 };` */
struct conf_found {
    struct slurm_conf *conf; /* NULL: it could not be read as far as that */
    struct conf_notes notes; /* of it and the files beside it, in order */
};

/*
 * Reads `path` and what stands beside it (gres.conf, cgroup.conf, topology.conf,
 * job_container.conf) and notes all that is wrong, old or without effect. Never fails: that a file
 * cannot be read is a note too.
 */
void conf_find(const char *path, struct conf_found *ret);
void conf_found_auto_(struct conf_found *found);

/* How heavy a note weighs: one of "error", "warning", "note". */
enum conf_weight { CONF_WEIGHT_NOTE, CONF_WEIGHT_WARNING, CONF_WEIGHT_ERROR };
enum conf_weight conf_note_weight(const struct conf_note *note);

/*
 * What a NodeName line says, against what the machine has. `readable` tells whether a path is
 * there; NULL leaves devices alone.
 */
typedef bool (*conf_exists_fn)(const char *path);
void conf_check_hardware(const struct conf_node *node, const struct node_hardware *hardware,
                         conf_exists_fn exists, struct conf_notes *notes);
