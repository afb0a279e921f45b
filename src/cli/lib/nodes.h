/*
 * nodes.h - nodes among the records that the controller sent. Pure.
 */
#pragma once

#include "cli/lib/records.h"
#include "common/msg/node.h"
#include "common/msg/tres.h"

/* Returns the NODE_INFO record with that NodeName, or NULL. */
const struct node_info *nodes_find(const struct records *nodes, const char *name);

/* Return what the node has, and what jobs hold of it. */
struct tres nodes_tres(const struct node_info *node);
struct tres nodes_tres_used(const struct node_info *node);

/* Returns the node's cpus without those that its daemons keep (CoreSpecCount). */
uint32_t nodes_cpus_for_jobs(const struct node_info *node);

/* Returns what the nodes of the partition have together. */
struct tres nodes_tres_of(const struct partition_info *partition);
