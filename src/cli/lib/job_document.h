/*
 * job_document.h - a job as squeue and scontrol tell it in JSON. Rows are struct job_row. Pure.
 */
#pragma once

#include "cli/lib/document.h"
#include "cli/lib/job_row.h"

extern const struct document_table job_document;
