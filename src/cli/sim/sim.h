/* sim.h - `sluice sim`: what a cluster would do with a stream of jobs. */
#pragma once

#include "common/base/log.h"

/* argv[0] is the verb. The exit status. */
int sluice_sim(int argc, char **argv, struct log *log);
