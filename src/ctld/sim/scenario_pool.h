/*
 * scenario_pool.h - the lines and words of a scenario that tell of pools.
 *
 *     pool NAME sum|nodes|ramp TOTAL [private] [reason=WORD]
 *     pool NAME gate TIME [private] [reason=WORD]
 *     at TIME pool NAME TOTAL             a gate: TIME
 *     claims=NAME:AMOUNT[/cpu|/node|/mb|/gres/NAME[:TYPE]][,...]
 *
 * Each reader stands behind the word that begins these; it fails as reader_fail does.
 */
#pragma once

#include "ctld/sim/reader.h"
#include "ctld/sim/scenario.h"

int scenario_read_pool(struct reader *in, struct scenario *scenario);
int scenario_read_change(struct reader *in, const struct scenario *scenario,
                         struct scenario_line *line);
int scenario_read_claims(struct reader *in, const struct scenario *scenario, const char *text,
                         struct scenario_line *line);
void scenario_claims_free(struct plan_claim *claims, uint32_t n);
