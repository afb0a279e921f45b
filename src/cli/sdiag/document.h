/*
 * document.h - the counters of the controller for --json and --yaml: members and their places as
 * Slurm's data parser v0.0.42 has them. Pure.
 */
#pragma once

#include "cli/sdiag/text.h"
#include "common/json/json.h"

/* What the document has as "statistics"; to be freed. */
struct json *sdiag_statistics(const struct diag *diag, const struct sdiag_view *view);
