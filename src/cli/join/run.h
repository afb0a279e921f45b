/*
 * run.h - running other programs and waiting for them, for verbs that set a machine up.
 */
#pragma once

#include <stdbool.h>

#include "common/base/err.h"

/* Runs a role of this executable, by argv[0]. Fails with ECHILD if it ends with another status than
 * 0. */
int run_self(char *const argv[], struct err *err);

/* True if a service manager has started this machine, and starts its daemons. */
bool run_has_systemd(void);

/* Start the daemons, or start them again; where systemd runs they also start with the machine. */
int run_munged(bool again, struct err *err);
int run_slurmctld(struct err *err);
int run_slurmd(struct err *err);
