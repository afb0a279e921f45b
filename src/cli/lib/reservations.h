/*
 * reservations.h - reservations among the records that the controller sent, as they are at a
 * moment.
 */
#pragma once

#include "cli/lib/records.h"
#include "common/msg/reservation.h"

/* Collects the reservations that the caller is shown, in the order in which they were made. */
int reservations_load(struct client *client, struct records *ret_records, struct err *err);

/* Returns how many cpus the reservation has; of nodes that it has whole, those that `nodes`,
 * NODE_INFO records, say. Pure, as are the functions below. */
uint64_t reservation_cpus(const struct reservation_record *record, const struct records *nodes);

/* What a reservation is at a moment. It borrows records: nothing has to be freed. */
struct reservation_view {
    const struct reservation_record *record;
    const struct records *nodes; /* NODE_INFO, or NULL */
    int64_t start, end;          /* TIME_FLOAT moves on with the clock */
    bool is_active;
    uint32_t nodes_n;
    uint64_t cpus;
};

/* `nodes` may be NULL where cpus are not asked for. */
struct reservation_view reservation_view(const struct reservation_record *record,
                                         const struct records *nodes, int64_t now);

/* Appends the numbers of the cores that it has of a node, "0-1,3". */
void reservation_cores_format(const struct reservation_view *view,
                              const struct reservation_part *part, struct strbuf *out);

/* Appends "cpu=8,gres/gpu=2", nothing where it has neither. */
void reservation_tres_format(const struct reservation_view *view, struct strbuf *out);

/* Appends TRESPerNode= as "gres/gpu=2", nothing where it was not asked for. */
void reservation_per_node_format(const struct reservation_record *record, struct strbuf *out);
