/*
 * step_fit.h - which part of its job a step gets: what it wants, what others have, what fits.
 *
 * As Slurm does it: a step takes all cpus that the job has on the step's nodes, for itself alone,
 * unless it asks for exact cpus (--exact or --cpus-per-task) or to overlap. The batch script takes
 * none away. A step that names no memory gets its share of the job's, by cpus; with --mem-per-gpu,
 * by gpus. --cpus-per-gpu counts where tasks have gpus of their own, as in Slurm. Pure.
 */
#pragma once

#include "ctld/control/core.h"
#include "ctld/control/layout.h"
#include "ctld/control/step_gres.h"

/* What a step wants, decided from its spec and its job; borrows the spec's texts, owns its gres. */
struct step_want {
    struct layout_ask ask;
    bool overlap;
    bool whole; /* all cpus of the job on its nodes */
    uint32_t first;
    uint64_t mem_per_node, mem_per_cpu;
    uint64_t mem_per_gpu;      /* 0: not said */
    uint32_t threads_per_core; /* 0: not said */
    const char *req_nodes, *exc_nodes;
    enum step_distribution distribution;
    struct step_gres gres;
};
struct step_want step_want_of(const struct control *control, const struct job *job,
                              const struct step_spec *spec);
void step_want_auto_(struct step_want *want);

/* Whether the step could ever run in its job: it must fit when no other step runs. */
int step_want_check(const struct job *job, const struct step_want *want, struct err *err);

/* Whether it fits now; then ret_tasks has the tasks on each node of the job. */
bool step_fits(const struct job *job, const struct step_want *want, const struct step_use *uses,
               uint32_t *ret_tasks);

/* Writes the layout that step_fits found into the step's record. */
void step_place(const struct control *control, struct step *step, struct step_want *want,
                const struct step_use *uses, const uint32_t *tasks);
