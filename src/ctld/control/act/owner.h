/* owner.h - the job that a caller may do something to. */
#pragma once

#include "ctld/control/act/act.h"
#include "ctld/model/model.h"

/* The job must exist and be the caller's, or the caller an admin. */
int job_of_caller(const struct control *control, const struct caller *caller, uint32_t job_id,
                  struct job **ret_job, struct err *err);

/* Passes rc on, but for E_ACCESS says E_USER_ID: Slurm's word where the job stays what it is. */
int say_user_id(int rc, struct err *err);
