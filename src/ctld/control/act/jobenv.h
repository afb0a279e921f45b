/*
 * jobenv.h - the SLURM_ variables that the controller gives to batch scripts, to tasks of steps and
 * to programs: what it knows of them for the table of common/msg/job_env.h.
 *
 * They are laid over the environment that the client sent, which holds what only the client knows
 * (SLURM_SUBMIT_DIR, SLURM_UMASK, SLURM_PRIO_PROCESS). What differs from node to node and task to
 * task (SLURMD_NODENAME, SLURM_NODEID, SLURM_PROCID, ...) is the node's to add, and how many cpus a
 * step has there. Pure: the same records give the same list.
 */
#pragma once

#include "ctld/control/act/turn.h"
#include "ctld/model/model.h"

/* "NAME=value" strings into an empty list that the caller frees with its message. */
void jobenv_make(const struct model *model, const struct step *step, char ***ret_strings,
                 uint32_t *ret_n);

/* Adds the variables of a Prolog or Epilog on one of the job's nodes to an empty list that the
 * caller frees with its message; the node adds those that depend on it. */
void jobenv_make_hook(const struct model *model, const struct job *job,
                      const struct job_node *place, enum job_program kind, char ***ret,
                      uint32_t *ret_n);

/* Adds the variables of PrologSlurmctld or EpilogSlurmctld to an empty list that the caller frees
 * with its message. */
void jobenv_make_program(const struct model *model, const struct job *job, enum job_program kind,
                         char ***ret, uint32_t *ret_n);

/* Adds the variables that MailProg is told of the job by, once it has ended also those of its
 * end. */
void jobenv_make_mail(const struct model *model, const struct job *job, bool has_ended,
                      char ***strings, uint32_t *strings_n);
