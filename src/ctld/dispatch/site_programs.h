/* site_programs.h - programs of the site that are told of events, as a turn orders them: those of
 * triggers, ResvProlog and ResvEpilog. Nobody waits for their end. */
#pragma once

struct ctld;

/* Runs the programs that the turn which ends has ordered. */
void site_programs_run(struct ctld *ctld);
