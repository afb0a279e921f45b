/*
 * use.h - what the steps of a job that run have of its nodes. Steps that overlap take nothing
 * away from others. Pure.
 */
#pragma once

#include "common/msg/step.h"
#include "ctld/model/model.h"

/* What steps use of one node of the job. */
struct step_use {
    struct bitset cpus;
    uint64_t memory_mb;
    uint64_t *gres;        /* how many of each entry of job_node.gres */
    struct bitset devices; /* those with numbers, counted through all entries */
};

/* What the job's steps use now: an array, one member for each node of the job. */
struct step_use *step_uses_new(const struct model *model, const struct job *job);
void step_uses_add(struct step_use *uses, const struct job *job, const struct step *step);
struct step_use *step_uses_free(struct step_use *uses, uint32_t n);
bool step_takes_cpus(const struct step *step);

/* True if the two have the same name and type. */
bool job_gres_is_like(const struct job_gres *a, const struct job_gres *b);
bool job_gres_has_device(const struct job_gres *gres, uint32_t number);
