/*
 * absent.h - what sacctmgr(1) of Slurm shows and we have none of: said in words, or as an
 * empty list where empty is the answer.
 */
#pragma once

#include "cli/sacctmgr/sacctmgr.h"

/* List reservations, and instances of cloud nodes, which a cluster here cannot have: the lists are
 * empty. */
int reservation_list(struct mgr *mgr, const struct acct_line *line);
int instance_list(struct mgr *mgr, const struct acct_line *line);
