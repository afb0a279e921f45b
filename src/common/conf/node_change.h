/*
 * node_change.h - nodes of a loaded configuration as `scontrol update` changes them. The file is
 * not touched: when it is read again, the changes are over.
 */
#pragma once

#include "common/conf/slurm_conf.h"

/* What the nodes were. Owns them: `AUTO(conf_nodes) struct conf_nodes was = ...`. */
struct conf_nodes {
    struct conf_node *at;
    uint32_t n;
};

struct conf_nodes conf_nodes_copy(const struct slurm_conf *conf);
/* Makes the configuration's nodes these, and these the configuration's. */
void conf_nodes_swap(struct conf_nodes *nodes, struct slurm_conf *conf);
void conf_nodes_clear(struct conf_nodes *nodes);
void conf_nodes_auto_(struct conf_nodes *nodes);

/* Borrowed. A text that is NULL, a number that is CONF_UNSET: as before; "": none. */
struct conf_node_change {
    const char *names; /* a host list */
    uint32_t weight;
    uint32_t cpu_bind; /* enum cpu_bind_kind */
    const char *features;
    const char *active_features;
    const char *gres;
    const char *addrs, *hostnames; /* one for each name */
};

/* Whether it says anything. */
bool conf_node_change_is_any(const struct conf_node_change *change);

/*
 * Fails with E_NODE_NAME (also where there are more or fewer addresses than names),
 * E_ACTIVE_FEATURES, E_GRES, E_SYNTAX; the nodes may then be changed in part.
 */
int conf_nodes_change(struct slurm_conf *conf, const struct conf_node_change *change,
                      struct err *err);

/*
 * A list in which NodeSets stand for their nodes, and a NodeHostName for the first node with it, as
 * one of nodes alone; what is neither stays as it is. New memory; fails as hostlist_parse does.
 */
int conf_nodes_named(struct slurm_conf *conf, const char *names, char **ret, struct err *err);
