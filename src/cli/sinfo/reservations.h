/* reservations.h - sinfo -T: a line for each reservation, in the columns of Slurm. Pure. */
#pragma once

#include "cli/lib/reservations.h"
#include "common/report/column.h"

/*
 * Appends a line for each of the reservations, which are reservation_records. As in Slurm, the
 * first column is as wide as the longest name only with a header.
 */
void sinfo_reservations_format(const struct records *reservations, const struct report_context *ctx,
                               bool has_header, struct strbuf *out);
