/* entity_reservation.c - scontrol show reservation. */
#include <string.h>

#include "cli/lib/reservation_document.h"
#include "cli/scontrol/entities.h"
#include "common/msg/types.h"

#define LOAD "slurm_load_reservations"

static const struct entity_kind reservation_kind = { "reservations", &reservation_document, NULL,
                                                     NULL };

static void print_reservation(struct entity_sink *sink, const struct reservation_record *record,
                              const struct records *nodes)
{
    const struct reservation_view view = reservation_view(record, nodes, sink->show.ctx.now);
    const struct reservation_document_row row = { record, &view };
    AUTO(strbuf) struct strbuf text = { 0 };

    if (entity_sink_take(sink, &row))
        return;
    show_reservation(&sink->show, &view, &text);
    entity_print(&text);
}

/* Loads reservations, and where there are some the nodes that they may have. Reports errors
 * itself. */
static bool load(struct scontrol *session, struct records *ret_records, struct records *ret_nodes)
{
    struct node_list nodes;
    struct err err = { 0 };

    node_list_init(&nodes);
    if (!session_connect(session, LOAD))
        return false;
    if (reservations_load(session->command.cli.client, ret_records, &err) < 0) {
        session_report(session, LOAD, &err);
        return false;
    }
    return ret_records->n == 0 || session_records(session, "slurm_load_node", MSG_NODE_LIST, &nodes,
                                                  MSG_NODE_INFO, ret_nodes);
}

void show_reservations(struct scontrol *session, const char *id)
{
    AUTO(records) struct records records = { 0 };
    AUTO(records) struct records nodes = { 0 };
    struct entity_sink sink;
    bool is_found = false;

    if (!load(session, &records, &nodes) || !entity_sink_begin(session, &reservation_kind, &sink))
        return;
    entity_say_updated(session, &sink, records.n);
    for (uint32_t i = 0; i < records.n; i++) {
        const struct reservation_record *record = record_at(&records, i);

        if (id && strcmp(id, record->name) != 0)
            continue;
        is_found = true;
        print_reservation(&sink, record, &nodes);
    }
    entity_sink_end(&sink);
    if (id && !is_found && sink.is_document)
        session->status = 1;
    else if (id && !is_found)
        entity_say_missing(session, "Reservation", id);
    else if (!is_found && !sink.is_document)
        entity_say(session, "No reservations in the system");
}
