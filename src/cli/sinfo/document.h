/*
 * document.h - a row of sinfo in JSON. Rows are struct sinfo_row. Pure.
 */
#pragma once

#include "cli/lib/document.h"
#include "cli/sinfo/columns.h"

/* Writes the row; `partition` is a kind of partition_document. */
void sinfo_document_row(const struct sinfo_row *row, const struct document_kind *partition,
                        const struct report_context *ctx, const char *cluster,
                        struct json_writer *json);
