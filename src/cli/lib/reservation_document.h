/* reservation_document.h - a reservation as scontrol and sinfo put it into JSON and YAML. Pure. */
#pragma once

#include "cli/lib/document.h"
#include "cli/lib/reservations.h"

struct reservation_document_row {
    const struct reservation_record *record;
    const struct reservation_view *view;
};

extern const struct document_table reservation_document;
