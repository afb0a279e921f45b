/*
 * rows.h - nodes and partitions as rows: which are shown, which share a row, in what order. Pure.
 */
#pragma once

#include "cli/lib/records.h"
#include "cli/sinfo/columns.h"
#include "cli/sinfo/state.h"
#include "common/report/format.h"
#include "common/report/sort.h"
#include "common/text/hostlist.h"

struct sinfo_filter {
    bool has_partitions;
    struct words partitions;   /* what has_partitions is about */
    struct hostlist *nodes;    /* NULL: all */
    struct node_states states; /* when has_states */
    bool has_states;
    bool dead, responding; /* -d, -r */
    bool reasons;          /* -R: nodes out of service with a reason, unless has_states */
};

void sinfo_filter_clear(struct sinfo_filter *filter);
void sinfo_filter_auto_(struct sinfo_filter *filter);

bool sinfo_wants_partition(const struct sinfo_filter *filter, const struct partition_info *part);

/* How nodes share rows. */
enum sinfo_grouping {
    SINFO_BY_VALUES, /* alike in what the format shows; amounts may differ */
    SINFO_EXACT,     /* -e: amounts too */
    SINFO_EACH_NODE, /* -N: a row for each node in each partition */
};

struct sinfo_rows {
    struct sinfo_row *rows;
    const void **order; /* n pointers into rows */
    uint32_t n;
};

struct sinfo_source {
    const struct records *nodes, *partitions; /* NODE_INFO, PARTITION_INFO; borrowed */
    const struct sinfo_filter *filter;
    const struct report_format *format;
    const struct report_sort *sort;
    enum sinfo_grouping grouping;
};

/* Makes the rows; the caller clears `ret_rows`. */
void sinfo_rows_make(const struct sinfo_source *source, const struct report_context *ctx,
                     struct sinfo_rows *ret_rows);
void sinfo_rows_clear(struct sinfo_rows *rows);
void sinfo_rows_auto_(struct sinfo_rows *rows);
