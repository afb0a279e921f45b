#include "ctld/api/api.h"

const struct handler *api_find(uint32_t type)
{
    const struct {
        const struct handler *rows;
        size_t n;
    } tables[] = { { job_handlers, job_handlers_n },
                   { list_handlers, list_handlers_n },
                   { node_list_handlers, node_list_handlers_n },
                   { history_handlers, history_handlers_n },
                   { report_handlers, report_handlers_n },
                   { node_handlers, node_handlers_n },
                   { partition_handlers, partition_handlers_n },
                   { kept_handlers, kept_handlers_n },
                   { event_handlers, event_handlers_n },
                   { admin_handlers, admin_handlers_n },
                   { daemon_handlers, daemon_handlers_n },
                   { setting_handlers, setting_handlers_n },
                   { import_handlers, import_handlers_n },
                   { move_handlers, move_handlers_n },
                   { archive_handlers, archive_handlers_n },
                   { amend_handlers, amend_handlers_n },
                   { reservation_handlers, reservation_handlers_n } };

    for (size_t t = 0; t < ARRAY_N(tables); t++) {
        for (size_t i = 0; i < tables[t].n; i++) {
            if (tables[t].rows[i].type == type)
                return &tables[t].rows[i];
        }
    }
    return NULL;
}
