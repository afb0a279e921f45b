/* job_programs.h - PrologSlurmctld and EpilogSlurmctld, as a turn orders them. */
#pragma once

struct ctld;

/* What the turn that ends has ordered is run; each end of one is a turn of its own. */
void job_programs_run(struct ctld *ctld);
