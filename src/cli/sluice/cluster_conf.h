/*
 * cluster_conf.h - slurm.conf of a cluster of virtual nodes, made of lines of ours and the user's.
 */
#pragma once

#include "cli/sluice/cluster.h"
#include "common/base/strbuf.h"

/* Makes the text for the cluster: its controller has `port`, its nodes the ports after that. */
int cluster_conf_make(const struct cluster *cluster, const struct cluster_shape *shape,
                      uint32_t port, struct strbuf *out, struct err *err);

/* Fails where the new file cannot be loaded, or has other nodes than were asked for. */
int cluster_conf_is_new(const struct cluster *cluster, const struct cluster_shape *shape,
                        struct err *err);

/* Fails where the cluster that exists differs from what is asked for, telling how. */
int cluster_conf_is_as_asked(const struct cluster *cluster, const struct cluster_shape *asked,
                             struct err *err);
