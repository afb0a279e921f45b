/*
 * run.h - running other programs and waiting for them, for verbs that set a machine up.
 */
#pragma once

#include <stdbool.h>

#include "common/base/err.h"

/* A role of this executable, by argv[0]. Fails with ECHILD when it does not end with status 0. */
int run_self(char *const argv[], struct err *err);

/* A program on PATH; likewise. */
int run_program(char *const argv[], struct err *err);

/* Whether a service manager has started this machine, and starts its daemons. */
bool run_has_systemd(void);

/* The daemons start, or start again; they start again with the machine where systemd runs it. */
int run_munged(bool again, struct err *err);
int run_slurmctld(struct err *err);
int run_slurmd(struct err *err);
