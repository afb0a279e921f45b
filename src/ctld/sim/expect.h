/* expect.h - what a scenario expects, compared with what happened. */
#pragma once

#include "ctld/sim/play.h"

/* Checks a line that expects something; what is not met goes to play->failures. */
void expect_check(const struct scenario *scenario, const struct scenario_line *line,
                  struct play *play);

/* Checks that each job was taken which no line expects to be refused. */
void expect_no_refusals(const struct scenario *scenario, struct play *play);
