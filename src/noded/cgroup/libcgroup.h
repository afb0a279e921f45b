/*
 * libcgroup.h - the library's own header for machine.c, and what opens and closes the library.
 *
 * It has a struct cgroup and a cgroup_free of its own, as this folder has: so no other file
 * includes it, and machine.c includes nothing that names ours.
 */
#pragma once

#include <libcgroup.h>

#include "common/base/err.h"

int libcgroup_open(struct err *err);
void libcgroup_close(void);

/* The library's cgroup_free. */
void libcgroup_free(struct cgroup **group);
