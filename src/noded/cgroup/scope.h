/*
 * scope.h - a unit of systemd's in which all steps of a node live, whatever happens to slurmd's.
 *
 * On v2 the manager owns the tree, and below a service's own group nothing survives its restart. So
 * it is asked, once, for a scope that is delegated to us; a process that does nothing keeps it.
 */
#pragma once

#include "common/base/err.h"

/*
 * Finds the directory of the scope `name` ("slurmstepd.scope") below the v2 mount, making it where
 * it is not there. May take some seconds. *ret_dir is to be freed.
 */
int scope_find(const char *mount, const char *name, char **ret_dir, struct err *err);
