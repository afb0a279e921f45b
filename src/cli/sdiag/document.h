/*
 * document.h - the counters of the controller for --json and --yaml: members and their places as
 * Slurm's data parser v0.0.42 has them. Pure.
 */
#pragma once

#include "cli/sdiag/text.h"
#include "common/json/writer.h"

/* Writes the member "statistics". */
void sdiag_statistics(const struct diag *diag, const struct sdiag_view *view,
                      struct json_writer *json);
