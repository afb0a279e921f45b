/*
 * update_job.h - scontrol update of jobs: which ones, and what is to change. Pure.
 */
#pragma once

#include "common/msg/alter.h"

/* The jobs that are meant. Texts are borrowed from argv. */
struct job_choice {
    const char *ids;  /* "5,12_[1-3]"; NULL: those of the name */
    const char *name; /* JobName= where no id is given */
    const char *user; /* UserID= beside it; NULL: anybody's */
};

/*
 * Reads the pairs, keys in any order and case. Fails with EINVAL; the text is what Slurm prints
 * then, of several lines. `ret_update` has no job_id yet; clear it.
 */
int update_parse_job(int argc, char *const *argv, int64_t now, struct job_choice *ret_choice,
                     struct job_update *ret_update, struct err *err);
