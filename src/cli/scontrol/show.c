#include "cli/scontrol/show.h"

int show_check_tables(struct err *err)
{
    const struct report_table *const tables[] = { &show_job_table, &show_step_table,
                                                  &show_node_table, &show_partition_table };

    for (size_t i = 0; i < ARRAY_N(tables); i++) {
        int rc = report_table_check(tables[i], err);

        if (rc < 0)
            return rc;
    }
    return 0;
}
