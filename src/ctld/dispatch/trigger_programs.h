/* trigger_programs.h - the programs of triggers, as a turn orders them. */
#pragma once

struct ctld;

/* Runs the programs of triggers that the turn which ends has pulled, as SlurmUser, who alone can
 * set triggers. */
void trigger_programs_run(struct ctld *ctld);
