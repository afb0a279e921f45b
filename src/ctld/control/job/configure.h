/* configure.h - what runs between a job's start and its work, and after it. */
#pragma once

#include "ctld/control/act/act.h"
#include "ctld/control/act/turn.h"
#include "ctld/model/model.h"

/* PrologSlurmctld or EpilogSlurmctld of this run of the job has ended; 0: it went well. */
void control_program_over(struct act *act, uint32_t job_id, uint32_t launch_number,
                          enum job_program kind, int32_t code);

/* Starts what has to run before a job that has its nodes, or its work if nothing has to. */
void job_configure(struct act *act, struct job *job);

/* Begins the job's work if all that had to be over before is. More calls than needed are fine. */
void job_go_on(struct act *act, struct job *job);

/* Runs EpilogSlurmctld for a job whose work has ended, or will never begin. */
void job_clean_up(struct act *act, struct job *job);

/* Runs the job's programs again after a restart of the controller, when nobody knows what became of
 * them. */
void job_repeat_program(struct act *act, const struct job *job);
