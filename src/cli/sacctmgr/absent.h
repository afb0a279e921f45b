/*
 * absent.h - what sacctmgr(1) of Slurm shows and we have none of: said in words, never as an empty
 * list that would look like an answer, unless empty is the answer.
 */
#pragma once

#include "cli/sacctmgr/sacctmgr.h"

/* There are none: the controller ends its jobs' records itself. */
int runaway_list(struct mgr *mgr, const struct acct_line *line);

/* Lists users whom this machine does not know. */
int problem_list(struct mgr *mgr, const struct acct_line *line);

/* Says where the controller keeps what slurmdbd would have, or that there is no such thing yet.
 * Return 1. */
int instance_refuse(struct mgr *mgr, const struct acct_line *line);
int reservation_list(struct mgr *mgr, const struct acct_line *line);
