/*
 * node_document.h - nodes and partitions as scontrol and sinfo tell them in JSON. Pure.
 */
#pragma once

#include "cli/lib/document.h"
#include "common/msg/node.h"

struct node_document_row {
    const struct node_info *info;
    const struct node_record *node;       /* of info */
    const struct node_hardware *hardware; /* of node; NULL before the first registration */
    const char *cluster;
};

struct partition_document_row {
    const struct partition_info *part;
    const char *cluster;
};

extern const struct document_table node_document, partition_document;

/* Makes a row, with all that it takes from `info`. */
struct node_document_row node_document_row(const struct node_info *info, const char *cluster);

/* Writes the state as ["MIXED", "DRAIN"]. */
void node_document_state(const struct node_info *info, struct json_writer *json, const char *key);
