/* advice.h - what to ask for next time. Pure. */
#pragma once

#include "cli/seff/figures.h"
#include "common/base/strbuf.h"

/*
 * Appends a line for each thing that was far off; nothing where all was well, the job is not over,
 * or it was too short to tell (ADVICE_LEAST_S).
 */
#define ADVICE_LEAST_S 60
void seff_advise(const struct job_record *job, const struct seff_figures *figures,
                 struct strbuf *out);
