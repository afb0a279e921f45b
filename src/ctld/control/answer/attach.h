/* attach.h - who follows jobs and steps: coming, going, and coming back. */
#pragma once

#include "common/msg/job.h"
#include "ctld/control/act/act.h"
#include "ctld/control/act/turn.h"
#include "ctld/model/model.h"

/* Takes a client back: checks that the job (and step) is its own, and repeats where it stands. */
int control_attach(struct act *act, const struct job_attach *request, uint32_t *ret_job_id,
                   uint32_t *ret_step_id, struct err *err);

/*
 * A connection that followed a job (and step) is gone. When nobody has come back for
 * client_grace_s, a step is ended, and so is a job that is nothing without its client: an srun's,
 * or an allocation that nobody waits for any more. An srun that closed its connection (`closed`),
 * as the kernel does when it is killed, has a few seconds.
 */
void control_client_gone(struct act *act, uint32_t job_id, uint32_t step_id, bool closed);

/* Whether the caller may read the job's script. */
int control_may_read_script(const struct control *control, const struct caller *caller,
                            uint32_t job_id, const struct job **ret_job, struct err *err);

/* Adds a stream that follows the job, and tells it where the job stands. */
int job_attach(const struct model *model, struct job *job, struct turn *turn);

/* Gives who needs a client the grace to get it, after a restart, when nobody follows anything. */
void attach_await_clients(struct act *act, struct job *job);
void attach_tick(struct act *act, struct job *job);
