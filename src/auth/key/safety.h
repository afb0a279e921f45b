/*
 * safety.h - whether others than those who may can change what a path leads to.
 *
 * What is found is told in words that begin with what the path is for ("Keyfile", "Socket").
 */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

#include "common/base/err.h"

struct safety {
    const uid_t *owners; /* who may own directories, beside root */
    unsigned owners_n;
    gid_t trusted_gid;    /* may write to directories; (gid_t)-1 for none */
    bool group_may_write; /* any group may */
};

/* Checks every directory from the file up to the root, by its real name. */
int safety_check_directories(const char *what, const char *path, const struct safety *safety,
                             struct err *err);

/* Returns the directory that a path is in; the caller frees it. */
char *safety_directory_of(const char *path);
