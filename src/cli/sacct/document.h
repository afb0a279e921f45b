/*
 * document.h - jobs for --json and --yaml: members and their places as Slurm's data parser v0.0.42
 * has those of its database. Pure, but for the names of users.
 */
#pragma once

#include "cli/sacct/columns.h"
#include "common/json/writer.h"

struct acct_document {
    const char *cluster;
    const char *counted; /* AccountingStorageTRES */
    bool with_steps;     /* not with -X */
};

/* Writes the job as an element of "jobs". */
void acct_document_add(const struct acct_document *document, const struct history_job *history,
                       struct json_writer *json);
