/*
 * node_change.h - nodes of a loaded configuration as `scontrol update` changes them. The file is
 * not touched: when it is read again, the changes are over.
 */
#pragma once

#include "common/conf/slurm_conf.h"

/* Nodes of an earlier state. Owns them: `AUTO(conf_nodes) struct conf_nodes was = ...`. */
struct conf_nodes {
    struct conf_node *at;
    uint32_t n;
};

struct conf_nodes conf_nodes_copy(const struct slurm_conf *conf);
/* Exchanges the configuration's nodes with these. */
void conf_nodes_swap(struct conf_nodes *nodes, struct slurm_conf *conf);
void conf_nodes_clear(struct conf_nodes *nodes);
void conf_nodes_auto_(struct conf_nodes *nodes);

/*
 * What is changed; borrowed. A text that is NULL, or a number that is CONF_UNSET, stays as before;
 * "" sets none.
 */
struct conf_node_change {
    const char *names; /* a host list */
    uint32_t weight;
    uint32_t cpu_bind; /* enum cpu_bind_kind */
    const char *features;
    const char *active_features;
    const char *gres;
    const char *addrs, *hostnames; /* one for each name */
};

/* Returns whether the change sets anything. */
bool conf_node_change_is_any(const struct conf_node_change *change);

/*
 * Applies the change. Fails with E_NODE_NAME (also when there are more or fewer addresses than
 * names), E_ACTIVE_FEATURES, E_GRES, E_SYNTAX; the nodes may then be changed in part.
 */
int conf_nodes_change(struct slurm_conf *conf, const struct conf_node_change *change,
                      struct err *err);

/*
 * Replaces NodeSets in a list by their nodes, and a NodeHostName by the first node with it; other
 * names stay as they are. *ret is new memory. Fails as hostlist_parse does.
 */
int conf_nodes_named(struct slurm_conf *conf, const char *names, char **ret, struct err *err);
