/* job_programs.h - PrologSlurmctld and EpilogSlurmctld, as a turn orders them. */
#pragma once

struct ctld;

/* Runs the programs that the turn which ends has ordered; each end of one is a turn of its own. */
void job_programs_run(struct ctld *ctld);
