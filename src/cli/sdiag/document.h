/*
 * document.h - the counters of the controller as JSON, for --json: members and their places as
 * Slurm's data parser v0.0.42 has them. Pure.
 */
#pragma once

#include "cli/sdiag/text.h"

void sdiag_document(const struct diag *diag, const struct sdiag_view *view, const char *cluster,
                    struct strbuf *out);
