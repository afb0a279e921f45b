#include "cli/scontrol/show.h"

void show_values(const struct report_table *table, const struct report_context *ctx,
                 const void *row, show_value_fn *take, void *take_ctx)
{
    for (uint32_t i = 0; i < table->columns_n; i++) {
        const struct report_column *column = &table->columns[i];
        AUTO(strbuf) struct strbuf value = { 0 };
        struct report_path path;

        if (report_path_find(table, column, &path, NULL) < 0 ||
            !report_is_given(column, &path, ctx, row))
            continue;
        report_value(column, &path, ctx, row, &value);
        take(take_ctx, column->title, strbuf_text(&value));
    }
}

int show_check_tables(struct err *err)
{
    const struct report_table *const tables[] = { &show_job_table, &show_step_table,
                                                  &show_node_table, &show_partition_table,
                                                  &show_reservation_table };

    for (size_t i = 0; i < ARRAY_N(tables); i++) {
        int rc = report_table_check(tables[i], err);

        if (rc < 0)
            return rc;
    }
    return 0;
}
