/* script.h - where a batch script lies while it runs: SlurmdSpoolDir/job00012/slurm_script. */
#pragma once

#include "common/msg/step.h"

/* Makes, as root, a file that only this user can read and run, to be written from its beginning and
 * cut after that: it may be as long as an earlier one. Its directory stays root's. */
int as_root_script_make(int spool_fd, const struct launch_cred *cred, int *ret_fd, struct err *err);

/* Removes, as root, the file and its directory. */
void as_root_script_remove(int spool_fd, uint32_t job_id);

/* Returns the path of the job's script, to be freed. */
char *script_path(const char *spool_dir, uint32_t job_id);
