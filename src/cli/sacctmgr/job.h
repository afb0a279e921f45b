/* job.h - sacctmgr modify job: remarks, exit codes and wckeys of jobs that are history. */
#pragma once

#include "cli/sacctmgr/sacctmgr.h"

int job_modify(struct mgr *mgr, const struct acct_line *line);
