/*
 * nodes.h - nodes among the records that the controller sent. Pure.
 */
#pragma once

#include "cli/lib/records.h"
#include "common/msg/node.h"

/* By NodeName, among NODE_INFO records; NULL when there is none. */
const struct node_info *nodes_find(const struct records *nodes, const char *name);
