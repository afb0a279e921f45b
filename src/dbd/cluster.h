/*
 * cluster.h - the clusters that have registered: who speaks for each, and what they are told.
 *
 * A cluster is told all records of accounts when its controller has registered, and then those that
 * change, once they are on disk. Of two controllers that register for one cluster the later speaks.
 */
#pragma once

#include "ctld/dispatch/conn.h"

struct dbd;
struct clusters;

struct clusters *clusters_new(struct dbd *dbd);
struct clusters *clusters_free(struct clusters *clusters); /* NULL is fine */

/* Opens the stores of all clusters that have ever registered, or were given a history. */
int clusters_open(struct clusters *clusters, struct err *err);

/* Returns the store of what the cluster has told, or NULL: there is no such cluster. */
struct store *clusters_store(const struct clusters *clusters, const char *name);

/* Finds the history of a cluster that has no controller; it is made where there was none. Fails
 * with ESRCH where there is no such cluster, E_NOT_SUPPORTED where it has a controller. */
struct history;
int clusters_lone(struct clusters *clusters, struct act *act, const char *name,
                  struct history **ret, struct err *err);

/* Counts the clusters whose controllers are connected. */
uint32_t clusters_online(const struct clusters *clusters);

extern const struct handler cluster_handlers[];
extern const size_t cluster_handlers_n;
