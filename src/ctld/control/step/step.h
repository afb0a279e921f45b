/* step.h - steps: new ones, and those that begin when there is room in their job. */
#pragma once

#include "common/msg/step.h"
#include "ctld/control/act/act.h"
#include "ctld/model/model.h"

/* Makes a step, which may have to wait for cpus of its job; its events say so. */
int control_step_run(struct act *act, const struct step_run *request, uint32_t *ret_step_id,
                     struct err *err);

/* A waiting step with the job's next number, not noted yet. The spec is copied; `request` is what
 * step_request_read made of it, and is empty afterwards. */
struct step *step_new(struct control *control, struct job *job, const struct step_spec *spec,
                      struct step_request *request);

/* Starts those of the job's waiting steps that fit, in their order. */
void job_start_steps(struct act *act, struct job *job);
void step_start_batch(struct act *act, struct job *job);
/* PrologFlags=Contain: one process of the job's on each of its nodes as long as the job lasts. */
void step_start_extern(struct act *act, struct job *job);

/* Puts the address that the controller saw in front of those that the client gave. */
void spec_add_address(struct step_spec *spec, const struct caller *caller);
