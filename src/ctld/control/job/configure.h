/* configure.h - what runs between a job's start and its work, and after it. */
#pragma once

#include "ctld/control/act/act.h"
#include "ctld/control/act/turn.h"
#include "ctld/model/model.h"

/* PrologSlurmctld or EpilogSlurmctld of this run of the job has ended; 0: it went well. */
void control_program_over(struct act *act, uint32_t job_id, uint32_t launch_number,
                          enum job_program kind, int32_t code);

/* The job has its nodes: what has to run first is started, and when there is nothing, its work. */
void job_configure(struct act *act, struct job *job);

/* Something that had to be over is, perhaps the last. More often is fine. */
void job_go_on(struct act *act, struct job *job);

/* Its work has ended, or will never begin. */
void job_clean_up(struct act *act, struct job *job);

/* After a restart of the controller nobody knows what became of its programs: they run again. */
void job_repeat_program(struct act *act, const struct job *job);
