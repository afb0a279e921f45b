/*
 * job_document.h - a job as squeue and scontrol tell it in JSON. Rows are struct job_row. Pure, but
 * for job_document_end.
 */
#pragma once

#include "cli/lib/document.h"
#include "cli/lib/job_row.h"

extern const struct document_table job_document;

/*
 * Ends the document as document_end_list does; also asks the controller when it planned last,
 * "last_backfill", if the command is connected.
 */
void job_document_end(struct document *document, int64_t updated);
