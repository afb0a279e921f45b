/*
 * programs.h - the files that Prolog= and such name, and whether root may run them.
 *
 * Only what root alone can change is run: a regular file of root's on a local file system, below
 * directories of root's, none of them writable by anybody else. Nothing is cached, so that a file
 * put there today is run today.
 */
#pragma once

#include <stdint.h>

#include "common/base/err.h"

struct hook_programs {
    char **paths; /* sorted within each pattern */
    uint32_t n;
};

/* Finds the programs of a setting: paths and patterns, separated by commas; NULL is none. A pattern
 * may match nothing. */
int hook_programs_find(const char *setting, struct hook_programs *ret, struct err *err);
void hook_programs_clear(struct hook_programs *programs);

/* Checks that root may run the program. Fails with EPERM, or as open does, and names path and
 * cause. *ret_path, to be freed, is where it really is: nobody but root can put another file
 * there. */
int as_root_check_program(const char *path, char **ret_path, struct err *err);
