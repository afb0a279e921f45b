#include "common/report/record.h"

void report_record(const struct report_table *table, const struct report_context *ctx,
                   const void *row, bool one_line, struct strbuf *out)
{
    bool is_first = true;

    for (uint32_t i = 0; i < table->columns_n; i++) {
        const struct report_column *column = &table->columns[i];
        bool breaks = (column->style & REPORT_NEW_LINE) && !one_line;
        struct report_path path = { 0 };

        if (report_path_find(table, column, &path, NULL) < 0 ||
            ((column->style & REPORT_OMIT) && !report_is_given(column, &path, ctx, row)))
            continue;
        if (!is_first)
            strbuf_adds(out, breaks ? "\n   " : " ");
        strbuf_addf(out, "%s=", column->title);
        report_value(column, &path, ctx, row, out);
        is_first = false;
    }
    strbuf_adds(out, one_line ? "\n" : "\n\n");
}
