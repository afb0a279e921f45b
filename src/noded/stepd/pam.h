/*
 * pam.h - a PAM session around a step, of the service "slurm": UsePAM.
 *
 * Run by the root parent: what modules set for the process, as limits, the step's user side takes
 * over.
 */
#pragma once

#include "common/base/err.h"

struct pam;

/* Opens the library (libpam.c). Fails with ENOENT when there is none. */
int pam_library_open(struct err *err);

/* Opens a session; *ret is to be ended by as_root_pam_close. Fails with what PAM says. */
int as_root_pam_open(const char *user, struct pam **ret, struct err *err);

/* Closes the PAM session; NULL is fine. Returns NULL. */
struct pam *as_root_pam_close(struct pam *pam);
