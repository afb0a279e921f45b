/*
 * load.h - the parts of slurm_conf_load: each reads one kind of record into the configuration.
 */
#pragma once

#include "common/conf/keys.h"
#include "common/conf/lines.h"
#include "common/conf/slurm_conf.h"

/* Maps names of nodes to their places. Opaque; owned by the loader. */
struct node_index;

struct loader {
    struct slurm_conf *conf;
    const struct conf_file *file;
    struct conf_notes *notes;
    struct node_index *index;
    uint64_t hosts_n; /* host names that lists were expanded to so far */
};

#define CONF_HOSTS_MAX (1u << 22)

/*
 * Counts n more host names. Fails beyond CONF_HOSTS_MAX, so that a small file cannot keep us
 * expanding lists for hours.
 */
int load_count_hosts(struct loader *loader, uint32_t n, struct conf_at at, struct err *err);

/* The pairs of a record from its key on: `NodeName=` and what follows it. */
struct conf_pairs {
    const struct conf_pair *at;
    uint32_t n;
};

/*
 * Reads one pair into the struct that `table` describes, and adds notes about it. Gives its row by
 * ret_key (may be NULL), or NULL when the key is not known.
 */
int load_pair(struct loader *loader, const struct conf_key *table, const struct conf_pair *pair,
              void *base, const struct conf_key **ret_key, struct err *err);

/* Reads each of the pairs as load_pair does. */
int load_pairs(struct loader *loader, const struct conf_key *table, struct conf_pairs pairs,
               void *base, struct err *err);

/* Returns the index of a node, or -1. */
int64_t load_find_node(const struct loader *loader, const char *name);

/* Reads a NodeName line. Notes and errors name the place of its first pair. */
int load_node_line(struct loader *loader, struct conf_pairs pairs, struct conf_node_line *defaults,
                   struct err *err);
int load_down_line(struct loader *loader, struct conf_pairs pairs, struct err *err);
/* Makes the index of all nodes of the configuration; load_node_line makes its own as it goes. */
void load_index_nodes(struct loader *loader);
void load_index_free(struct loader *loader);

/* Frees what the node owns. */
void conf_node_clear(struct conf_node *node);

int load_nodeset(struct loader *loader, struct conf_pairs pairs, struct err *err);
int load_partition(struct loader *loader, struct conf_pairs pairs, struct conf_partition *defaults,
                   struct err *err);

/*
 * Finds the nodes of part->nodes_text. `unknown` gets some of the names that are no nodes, and
 * *ret_unknown_n their count. load_partition_settle removes lists that restrict nobody.
 */
int load_partition_nodes(struct loader *loader, struct conf_partition *part, struct strbuf *unknown,
                         uint32_t *ret_unknown_n, struct err *err);
void load_partition_settle(struct conf_partition *part);

/* Reads the controllers from SlurmctldHost or the older keys. */
int load_controllers(struct loader *loader, struct err *err);

/* Returns the last global pair with this key and a value, or NULL. */
const struct conf_pair *load_find_pair(const struct loader *loader, const char *key);

/*
 * Notes keys that exclude each other: the first function in one record, the second in the whole
 * file.
 */
void load_note_exclusive(struct loader *loader, struct conf_pairs pairs);
void load_note_exclusive_keys(struct loader *loader);

/* Reads what scheduling takes from lists within values: SchedulerParameters, Licenses and such. */
int load_scheduling(struct loader *loader, struct err *err);

/* Reads LaunchParameters, and notes the words without effect. */
void load_launch(struct loader *loader);

/* Sets what follows from several keys together, or from parts of a value. */
int load_derived(struct loader *loader, struct err *err);
