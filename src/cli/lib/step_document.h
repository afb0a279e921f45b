/*
 * step_document.h - a step as sacct and scontrol tell it in JSON: v0.0.42's "step". Pure, but for
 * the names of users.
 */
#pragma once

#include "cli/lib/step_facts.h"
#include "common/json/writer.h"
#include "common/report/column.h"

/* A step, with what its record does not say, or says otherwise to different commands. */
struct step_document_row {
    const struct step_record *step;
    uint32_t state;    /* enum job_state */
    uint32_t ended_by; /* uid; COUNT_UNSET: nobody cancelled it */
    const struct report_context *ctx;
};

/* Returns the row of a step that the controller still knows, as it is now. */
struct step_document_row step_document_row(const struct step_record *step,
                                           const struct report_context *ctx);

/* Writes the step as an element of a list. */
void step_document(const struct step_document_row *row, struct json_writer *json);

/* Writes { "seconds", "microseconds" } for "system", "total" and "user". */
void document_cpu_times(struct json_writer *json, struct cpu_times times);
