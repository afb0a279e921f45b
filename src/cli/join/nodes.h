/*
 * nodes.h - the NodeName lines that `sluice init` writes, and `sluice join` makes true. Pure.
 *
 * They stand between two marked lines of slurm.conf; what else the file says is never touched.
 * Hosts that are alike share a line.
 */
#pragma once

#include "common/base/strbuf.h"
#include "common/msg/node.h"
#include "common/text/hostlist.h"

/* What a line says of hosts that nobody has asked yet. */
#define NODES_ASSUMED "CPUs=1 State=UNKNOWN"

/* What a NodeName line says of such a machine; part of the memory is left to its system. free()
 * it. */
char *nodes_describe(const struct node_hardware *hardware);

/* Appends the part of slurm.conf, `hosts` all assumed; see nodes_update. */
void nodes_begin(const struct hostlist *hosts, struct strbuf *out);

/*
 * The text of slurm.conf in which `host` is as described; to be freed. Fails with ENOENT when there
 * are no marked lines, and with what hostlist_parse says of a line between them.
 */
int nodes_update(const char *conf_text, const char *host, const char *description, char **ret_text,
                 struct err *err);
