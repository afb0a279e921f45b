/*
 * write_conf.h - a slurm.conf of what the controller goes by, as `scontrol write config` leaves it.
 *
 * The lines of `scontrol show config` become keys again, what stands for no value is left out, and
 * nodes that are alike share a line. Pure.
 */
#pragma once

#include "cli/scontrol/show.h"

/* Appends a line for one entry of `scontrol show config`; nothing for what no file can say. */
void write_conf_entry(const struct config_entry *entry, struct strbuf *out);

/* Appends the lines of all nodes: `infos` are struct node_info, borrowed. */
void write_conf_nodes(const struct show *show, const struct node_info *const *infos, uint32_t n,
                      struct strbuf *out);

void write_conf_partition(const struct show *show, const struct partition_info *info,
                          struct strbuf *out);
