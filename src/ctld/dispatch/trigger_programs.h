/* trigger_programs.h - the programs of triggers, as a turn orders them. */
#pragma once

struct ctld;

/* What the turn that ends has pulled is run, as SlurmUser, who alone can set triggers. */
void trigger_programs_run(struct ctld *ctld);
