/*
 * depend.h - who waits for whom: an index of the waiting jobs by what they wait for.
 *
 * It follows from the records, and is made again from them at a start. What somebody waits for is a
 * job, an array, or (singleton) that no other job of the name is left.
 */
#pragma once

#include "common/msg/job.h"
#include "ctld/control/act/act.h"
#include "ctld/model/model.h"

struct depend_target;

/* What jobs wait for. Owned by the control. */
struct depend {
    struct depend_target *targets; /* uthash by id */
    uint32_t *changed;             /* jobs that others have not been told of yet */
    uint32_t changed_n;
    bool is_telling;
};

struct depend *depend_new(void);
void depend_clear(struct depend *depend); /* forgets all who wait */
struct depend *depend_free(struct depend *depend);

/* Lets the job wait for what its record says. */
void depend_watch(struct depend *depend, struct job *job);

/* Ids of the jobs that wait for this one, or for its array or name; the caller frees. */
uint32_t *depend_waiting(struct depend *depend, const struct model *model, const struct job *target,
                         uint32_t *ret_n);

/* The number under which others wait for the job: its array's, or its own. */
uint32_t depend_id(const struct job *job);

/* Reads spec.dependency into a record that waits for nothing yet. E_DEPENDENCY. */
int depend_accept(const struct control *control, struct job_record *rec, struct err *err);

void job_forget_dependencies(struct job_record *rec);

/* Lets a new job wait for what its record says, which may be nothing: it is told to the planner if
 * that is fulfilled. It may end, and its tasks may be split. */
void depend_begin(struct act *act, struct job *job);

/* Fails unless the job could wait for what `text` says; "" is nothing. E_DEPENDENCY, E_CIRCULAR. */
int depend_check(const struct control *control, const struct job *job, const char *text,
                 struct err *err);

/* Lets the job wait for a spec.dependency that has changed; depend_decide is still due. Tasks may
 * be split. */
void depend_again(struct act *act, struct job *job);

/* Files the job under a spec.name that has changed. */
void depend_rename(struct act *act, struct job *job);

/* Tells jobs that wait for this one that it has started, waits again, or is over with clean
 * nodes. */
void depend_tell(struct act *act, const struct job *job);

/* Decides again about a waiting job that has itself changed: it is held no more. */
void depend_decide(struct act *act, struct job *job);
void depend_tick(struct act *act, struct job *job);
void depend_settle(struct control *control);

/* Why the record's job waits for others; REASON_NONE: it waits for no job. */
uint32_t job_dependency_reason(const struct job_record *rec);
