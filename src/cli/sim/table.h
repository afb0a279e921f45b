/* table.h - rows of texts as columns of one width each. */
#pragma once

#include "common/base/strbuf.h"

#define TABLE_COLUMNS_MAX 20

struct table {
    char **cells; /* row by row; owned */
    uint32_t cells_n, columns_n, left_n;
};

/* Begins a table: its first `left_n` columns are aligned left, the others, for numbers, right. */
struct table table_begin(uint32_t columns_n, uint32_t left_n);

/* Adds the next cell of the row, then of the next row. */
void table_add(struct table *table, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* Appends the table; all rows must be full. */
void table_format(const struct table *table, struct strbuf *out);
void table_auto_(struct table *table);
