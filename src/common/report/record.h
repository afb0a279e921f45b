/*
 * record.h - one row as "Key=Value Key=Value", several lines or one: what scontrol show prints.
 *
 * The columns of the table in their order, each as TITLE=VALUE. REPORT_NEW_LINE begins a line
 * (three blanks in), or with `one_line` goes on after one blank; REPORT_OMIT leaves out what is not
 * given. Pure.
 */
#pragma once

#include "common/report/column.h"

/* Appends the record; ends it with a line break, and an empty line unless `one_line`. `paths` are
   those of report_table_paths, or NULL for a single row. */
void report_record(const struct report_table *table, const struct report_path *paths,
                   const struct report_context *ctx, const void *row, bool one_line,
                   struct strbuf *out);
