/* handlers.c - what a slurmdbd can be asked: accounts, as a controller is, and what is its own. */
#include "ctld/api/api.h"
#include "dbd/dbd.h"

const struct handler *dbd_find_handler(uint32_t type)
{
    const struct {
        const struct handler *rows;
        size_t n;
    } tables[] = {
        { cluster_handlers, cluster_handlers_n }, { standby_handlers, standby_handlers_n },
        { show_handlers, show_handlers_n },       { daemon_handlers, daemon_handlers_n },
        { kept_handlers, kept_handlers_n },       { event_handlers, event_handlers_n },
        { history_handlers, history_handlers_n }, { report_handlers, report_handlers_n },
        { archive_handlers, archive_handlers_n }, { lone_handlers, lone_handlers_n },
    };

    for (size_t t = 0; t < ARRAY_N(tables); t++) {
        for (size_t i = 0; i < tables[t].n; i++) {
            if (tables[t].rows[i].type == type)
                return &tables[t].rows[i];
        }
    }
    return NULL;
}
