/* owner.h - the job in which a caller acts as its owner does: runs steps, attaches to them, writes
 * to its users. Levels and coordinators count for nothing here; they alter jobs
 * (acct_may_alter_job). */
#pragma once

#include "ctld/control/act/act.h"
#include "ctld/model/model.h"

/* Fails unless the job exists and is the caller's, or the caller is root or SlurmUser. */
int job_of_caller(const struct control *control, const struct caller *caller, uint32_t job_id,
                  struct job **ret_job, struct err *err);

/* Returns rc, but E_USER_ID in place of E_ACCESS: Slurm's word where the job stays what it is. */
int say_user_id(int rc, struct err *err);
