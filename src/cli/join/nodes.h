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

/* Values in the NodeName line of hosts that nobody has asked yet. */
#define NODES_ASSUMED "CPUs=1 State=UNKNOWN"

/* Returns the values of a NodeName line for such a machine, leaving part of the memory to its
   system. free() it. */
char *nodes_describe(const struct node_hardware *hardware);

/* Appends the marked part of slurm.conf, with NODES_ASSUMED for all `hosts`; see nodes_update. */
void nodes_begin(const struct hostlist *hosts, struct strbuf *out);

/*
 * Makes the text of slurm.conf in which `host` is as described; *ret_text is to be freed. Fails
 * with ENOENT when there are no marked lines, and with what hostlist_parse says of a line between
 * them.
 */
int nodes_update(const char *conf_text, const char *host, const char *description, char **ret_text,
                 struct err *err);
