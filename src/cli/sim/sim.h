/* sim.h - `sluice sim`: what a cluster would do with a stream of jobs. */
#pragma once

#include "common/base/log.h"

/* Runs the verb that argv[0] names. Returns the exit status. */
int sluice_sim(int argc, char **argv, struct log *log);
