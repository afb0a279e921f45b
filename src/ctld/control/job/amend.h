/*
 * amend.h - what is changed of jobs that have ended, or have not yet (common/msg/amend.h).
 *
 * The record on disk is changed where it is, by the change that is noted: most such jobs left
 * memory long ago. What is in memory changes with it.
 */
#pragma once

#include "common/base/bitset.h"
#include "common/msg/amend.h"
#include "ctld/control/act/act.h"

/*
 * Checks a request. *ret_asks_owner: who asks may change jobs of his own alone, so that their
 * owners have to be looked at (control_amend_check_owner, control_amend_drop_unknown) before.
 */
int control_amend_check(struct act *act, const struct history_amend *request, bool *ret_asks_owner,
                        struct err *err);

/* Fails if the job is one of those that are to be changed, and somebody else's; else adds those
 * that it is, by their place in the request, to `found`. */
int control_amend_check_owner(const struct caller *caller, const struct history_amend *request,
                              const struct job_record *job, struct bitset *found, struct err *err);

/* Takes jobs out of the request that are neither among those found in the history nor in memory, or
 * fails if one in memory is somebody else's. */
int control_amend_drop_unknown(const struct act *act, struct history_amend *request,
                               struct bitset *found, struct err *err);

/* Notes as an event who has changed a job of the cluster. A slurmdbd does it of what it is told. */
void control_note_amended(struct act *act, const char *cluster, uint32_t job_id,
                          const struct job_amendment *amendment);

/* Changes the jobs of a request that has been checked, and notes who did. */
void control_amend(struct act *act, struct history_amend *request);
