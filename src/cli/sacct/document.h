/*
 * document.h - jobs for --json and --yaml: members and their places as Slurm's data parser v0.0.42
 * has those of its database. Pure, but for the names of users.
 */
#pragma once

#include "cli/sacct/columns.h"
#include "common/json/writer.h"

/* An element of "jobs", with its steps or, as for -X, without. */
void acct_document_add(const struct history_job *history, const char *cluster, bool with_steps,
                       struct json_writer *json);
