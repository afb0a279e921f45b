/*
 * alter.h - what the files that alter jobs on request share. Private to this folder.
 */
#pragma once

#include "common/msg/alter.h"
#include "ctld/control/act/act.h"
#include "ctld/model/model.h"

struct alter_way {
    /* Fails unless the request may be done to so many of the jobs that the record stands for;
     * nothing changes. */
    int (*check)(struct act *act, struct job *job, uint32_t jobs_n, const void *request,
                 struct err *err);
    /* Does the request to one record, or nothing: then it says why, as `check` does. */
    int (*alter)(struct act *act, struct job *job, const void *request, struct err *err);
};

/* Does a request to all records that are named (see jobs_named, which also says what fails) and
 * gathers the refusals. */
int alter_named(struct act *act, uint32_t job_id, const char *tasks, const struct alter_way *way,
                const void *request, struct job_altered *ret, struct err *err);

/* "return alter_refuse(E_ACCESS, err)": without figures, as there are none. */
int alter_refuse(int code, struct err *err);

/* True if the request gives the field of job_spec a value. */
bool job_update_sets(const struct job_update *request, uint32_t tag);

/* Holds a job, or releases it. The planner is told by who calls: job_leave_plan before,
 * job_enter_plan after. */
void job_hold(struct job *job, bool by_operator);
/* Holds a job whose reservation is over. */
void job_hold_without_reservation(struct job *job, const char *why);
void job_release(struct act *act, struct job *job);

/*
 * Which nodes a job that has some is to keep, by position in rec.nodes; all: the request does not
 * ask for fewer. E_NODE_NAME, E_NODE_COUNT, E_NOT_SUPPORTED.
 */
int job_check_shrink(const struct job *job, const struct job_update *request, struct bitset *ret,
                     struct err *err);

/* Gives back the nodes that are not in `keep`. Steps that run there end; with --no-kill they go on
 * elsewhere. */
void job_shrink(struct act *act, struct job *job, const struct bitset *keep);

/* Stand around a change of a waiting job, which the second notes. The plan of a job that runs
 * stays. */
void job_leave_plan(struct act *act, struct job *job);
void job_enter_plan(struct act *act, struct job *job);

/* Says of a job, before it is requeued, that it will be held, and is perhaps shown as
 * SPECIAL_EXIT. */
void job_hold_requeued(struct job *job, bool special_exit);

/* Says of a job, before it is requeued, that it will be held because a node could not start it. */
void job_hold_unlaunched(struct job *job);

/* Says of a job, before it is requeued, that it will be held because its launch was lost too
 * often. */
void job_hold_for_losses(struct job *job);

/* Slurm's words for why a requeued job is held. */
const char *job_requeued_why(const struct job *job);
