/*
 * table.h - printing lists: columns by name, cut short or not, in the manner that the options say.
 */
#pragma once

#include "cli/sacctmgr/sacctmgr.h"
#include "common/report/column.h"

/* A row of a table of columns. Its mark is how many letters of the name are enough. */
#define MGR_COLUMN(name_, least_, title_, width_, make_)                                           \
    {                                                                                              \
        .name = (name_), .title = (title_), .width = (width_), .make = (make_), .unset = "",       \
        .mark = (least_)                                                                           \
    }

/* What is listed. */
struct mgr_table {
    const struct report_table *columns;
    struct report_context ctx;
    const void *rows; /* structs that the columns are of */
    size_t row_size;
    uint32_t n;
};

/* Prints the fields of all rows. Returns what to exit with; which field is none, it says. */
int mgr_print(struct mgr *mgr, const struct mgr_table *table, const struct words *fields);
