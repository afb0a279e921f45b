#include "common/report/record.h"

/* Appends nothing and returns false when the value is to be left out. */
static bool add_pair(const struct report_column *column, const struct report_path *path,
                     const struct report_context *ctx, const void *row, struct strbuf *out)
{
    bool may_omit = column->style & REPORT_OMIT;
    size_t begin = out->len, value;

    if (may_omit && !column->make && !report_is_given(column, path, ctx, row))
        return false;
    strbuf_adds(out, column->title);
    strbuf_addc(out, '=');
    value = out->len;
    report_value(column, path, ctx, row, out);
    if (may_omit && out->len == value)
        strbuf_truncate(out, begin);
    return out->len > begin;
}

void report_record(const struct report_table *table, const struct report_path *paths,
                   const struct report_context *ctx, const void *row, bool one_line,
                   struct strbuf *out)
{
    size_t begin = out->len;

    for (uint32_t i = 0; i < table->columns_n; i++) {
        const struct report_column *column = &table->columns[i];
        bool breaks = (column->style & REPORT_NEW_LINE) && !one_line;
        struct report_path path = { 0 };
        size_t before = out->len;

        if (!paths && report_path_find(table, column, &path, NULL) < 0)
            continue;
        if (before > begin)
            strbuf_adds(out, breaks ? "\n   " : " ");
        if (!add_pair(column, paths ? &paths[i] : &path, ctx, row, out))
            strbuf_truncate(out, before);
    }
    strbuf_adds(out, one_line ? "\n" : "\n\n");
}
