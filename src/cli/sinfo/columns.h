/*
 * columns.h - what sinfo can say about nodes of a partition, under Slurm's letters and names.
 *
 * Pure, but for the names of users. Rows borrow their messages.
 */
#pragma once

#include "common/msg/node.h"
#include "common/report/column.h"

/* Nodes that are alike in all that is printed, and the (first) partition they are in. */
struct sinfo_row {
    const struct partition_info *part;
    const struct node_info *node; /* the first of them, or NULL */
    const struct node_info **nodes;
    uint32_t nodes_n;
    uint32_t part_at; /* of the partition in the configuration */
};

/* Values of a column's `mark`. */
enum sinfo_mark {
    SINFO_SUM = 1,   /* a figure or list of all nodes of a row: does not keep nodes apart */
    SINFO_RANGE = 2, /* the same unless -e: the least of them, with a '+' when others have more */
    SINFO_PART = 4,  /* names the partition: one without nodes has a row too */
};

extern const struct report_table sinfo_table;
