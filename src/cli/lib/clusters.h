/*
 * clusters.h - the clusters that -M names, as slurmdbd knows them, and the way to their
 * controllers.
 */
#pragma once

#include "cli/lib/records.h"
#include "common/text/words.h"

struct clusters {
    struct records known; /* what slurmdbd tells; nothing where only this cluster is asked for */
    const struct cluster_record **at; /* those that were asked for, by name; NULL: this one */
    uint32_t n;
};

/*
 * Finds the clusters that `asked` names, a list with commas or "all"; without it this cluster.
 * slurm.conf must be loaded; slurmdbd is asked where another cluster is meant. A name that is not
 * known is said on stderr and passed over, as in Slurm, and so is a cluster whose controller has
 * never told where it is. Returns 0, or -1 when none is left, which has been said, too.
 */
int clusters_find(struct command *command, const char *asked, struct clusters *ret);

/* Does what clusters_find does for a command that talks to one cluster, and goes over to that. */
int clusters_choose(struct command *command, const char *asked);

/* Goes over to cluster number i: the command connects to its controller from now on. */
void clusters_go(struct command *command, const struct clusters *clusters, uint32_t i);

/*
 * Goes over to one cluster after the other and calls `show` at each; has_heads: below a line
 * "CLUSTER: name". Returns what to exit with, the first status that is not 0.
 */
int clusters_each(struct command *command, const struct clusters *clusters, bool has_heads,
                  int (*show)(void *ctx), void *ctx);

/* Adds the names of the clusters that are there, in their order: all, or those that are named. */
void clusters_add_names(const struct records *known, bool is_all, const struct words *named,
                        struct words *ret);

void clusters_clear(struct clusters *clusters);
void clusters_auto_(struct clusters *clusters);
