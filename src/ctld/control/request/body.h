/* body.h - bodies of jobs on their way into the model: checked, named, kept. */
#pragma once

#include "ctld/control/act/act.h"
#include "ctld/model/body.h"

/* Fails unless a request of that kind of job has the body that it needs. */
int job_body_check(const struct job_body *msg, uint32_t kind, struct err *err);

/*
 * The body for jobs that are about to have it, to be given to body_unref. The turn keeps it, and
 * so commits it with the records that name it, unless a job in memory has it already.
 */
struct body *body_accept(struct act *act, const struct job_body *msg);

/* The body that is kept already under this name, to be given to body_unref; `msg` may be NULL where
 * a job in memory has it. */
struct body *body_load(struct model *model, const struct blob *name, const struct job_body *msg);
