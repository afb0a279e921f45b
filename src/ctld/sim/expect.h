/* expect.h - what a scenario expects, compared with what happened. */
#pragma once

#include "ctld/sim/play.h"

/* One line that expects something; a line that is not met goes to play->failures. */
void expect_check(const struct scenario *scenario, const struct scenario_line *line,
                  struct play *play);

/* Each job is expected to be taken when no line expects that it is refused. */
void expect_no_refusals(const struct scenario *scenario, struct play *play);
