/*
 * gres.h - which of the generic resources of its job a step may use.
 *
 * As Slurm does it: a step that asks for none gets as its job asked, as far as the job has it on
 * the step's nodes. What steps use at the same time is kept apart, unless they overlap. Pure.
 */
#pragma once

#include "common/text/gres.h"
#include "ctld/control/step/use.h"

/* What a step wants; owns its lists. */
struct step_gres {
    struct gres_list per_node, per_task, in_all;
    struct gres_list
        per_socket;  /* what it said of sockets: the job must have that much somewhere */
    bool as_job;     /* it did not say: less than this is fine, too */
    bool needs_gpus; /* it asks for something with each gpu */
};

/* `request` is what the step's spec comes to. */
void step_gres_of(const struct job *job, const struct step_spec *spec,
                  const struct step_request *request, struct step_gres *ret);
void step_gres_copy(const struct step_gres *from, struct step_gres *ret);
void step_gres_clear(struct step_gres *want);
void step_gres_auto_(struct step_gres *want);

/* How many tasks what is left of a node is enough for; with `use` NULL, as if all was left. */
uint32_t step_gres_room(const struct step_gres *want, const struct job_node *place,
                        const struct step_use *use);

/* True if the nodes that have tasks have enough for the step as a whole. */
bool step_gres_suffice(const struct step_gres *want, const struct job *job,
                       const struct step_use *uses, const uint32_t *tasks);

/* Fails with E_GRES, naming what the job has too little of. */
int step_gres_check(const struct step_gres *want, const struct job *job, uint32_t min_nodes,
                    uint32_t ntasks, struct err *err);

/* How many gpus of all types are given out on a node. */
uint64_t step_gres_gpus(const struct job_gres *gres, uint32_t gres_n);

/*
 * Gives the step its part of a node, lowest numbers first; `want->in_all` loses what it gives, and
 * keeps one of each for each of the nodes that come `behind`.
 */
void step_gres_take(struct step_gres *want, const struct job_node *place,
                    const struct step_use *use, uint32_t tasks, uint32_t behind,
                    struct step_node *part);
