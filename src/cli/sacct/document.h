/*
 * document.h - jobs as JSON, for --json: members and their places as Slurm 22.05's sacct has them
 * (openapi/dbv0.0.38). Pure.
 */
#pragma once

#include "cli/sacct/columns.h"

/*
 * The document is written job by job, since a history may be long: its beginning, then each job
 * (the first one is told apart by `is_first`) with its steps or, as for -X, without, then its end.
 */
void acct_document_begin(struct strbuf *out);
void acct_document_add(const struct history_job *history, const char *cluster, bool with_steps,
                       bool is_first, struct strbuf *out);
void acct_document_end(struct strbuf *out);
