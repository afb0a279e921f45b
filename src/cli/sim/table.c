#include "cli/sim/table.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#define GAP 2

struct table table_begin(uint32_t columns_n, uint32_t left_n)
{
    assert(columns_n >= 1 && columns_n <= TABLE_COLUMNS_MAX);
    return (struct table){ .columns_n = columns_n, .left_n = left_n };
}

void table_add(struct table *table, const char *fmt, ...)
{
    AUTO(strbuf) struct strbuf text = { 0 };
    va_list args;

    va_start(args, fmt);
    strbuf_vaddf(&text, fmt, args);
    va_end(args);
    *ARRAY_PUSH(table->cells, table->cells_n) = strbuf_steal(&text);
}

void table_format(const struct table *table, struct strbuf *out)
{
    int widths[TABLE_COLUMNS_MAX] = { 0 };

    for (uint32_t i = 0; i < table->cells_n; i++) {
        const int width = (int)strlen(table->cells[i]);
        int *most = &widths[i % table->columns_n];

        *most = width > *most ? width : *most;
    }
    for (uint32_t i = 0; i < table->cells_n; i++) {
        const uint32_t column = i % table->columns_n;

        if (column > 0)
            strbuf_addf(out, "%*s", GAP, "");
        if (column >= table->left_n)
            strbuf_addf(out, "%*s", widths[column], table->cells[i]);
        else
            strbuf_addf(out, "%-*s", column + 1 < table->columns_n ? widths[column] : 0,
                        table->cells[i]);
        if (column + 1 == table->columns_n)
            strbuf_addc(out, '\n');
    }
}

void table_auto_(struct table *table)
{
    for (uint32_t i = 0; i < table->cells_n; i++)
        free(table->cells[i]);
    free(table->cells);
}
