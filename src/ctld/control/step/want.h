/*
 * want.h - what a step wants of its job.
 *
 * As Slurm does it: a step takes all cpus that the job has on the step's nodes, unless it asks for
 * exact cpus (--exact or --cpus-per-task), and for itself alone, unless it asks to overlap. The
 * batch script takes none away. A step that names no memory gets its share of the job's, by cpus;
 * with --mem-per-gpu, by gpus. --cpus-per-gpu counts where tasks have gpus of their own, as in
 * Slurm. Pure.
 */
#pragma once

#include "common/msg/step.h"
#include "ctld/control/act/layout.h"
#include "ctld/control/step/gres.h"
#include "ctld/model/model.h"

struct control;

#define STEP_TASKS_MAX (1u << 20)

/* Decided from the step's spec and its job; owns its gres. */
struct step_want {
    struct layout_ask ask;
    bool overlap;
    bool whole; /* all cpus of the job on its nodes */
    uint32_t first;
    uint64_t mem_per_node, mem_per_cpu;
    uint64_t mem_per_gpu;      /* 0: not said */
    uint32_t threads_per_core; /* 0: not said */
    enum distribution distribution;
    struct step_gres gres;
    const struct step_request *request; /* borrowed, as the model */
    const struct model *model;
};

/*
 * Reads into an empty request what `spec` says, and fails if no step can be made of its numbers and
 * lists, whatever its job is: of numbers srun says no such thing, but another client may.
 * E_TASK_COUNT, E_TOO_MANY_CPUS, E_DISTRIBUTION, E_GRES, E_NODE_NAME, E_NODE_CONFIG, E_SYNTAX,
 * E_TOO_BIG.
 */
int step_request_read(const struct model *model, const struct step_spec *spec,
                      struct step_request *ret, struct err *err);

/* Reads the requests of the job's waiting steps anew, after a restart or for another configuration.
 * One that cannot be read is marked as unreadable. */
void job_read_step_requests(const struct model *model, struct job *job);

/* `request` is what step_request_read made of `spec`; the result borrows it. */
struct step_want step_want_of(const struct control *control, const struct job *job,
                              const struct step_spec *spec, const struct step_request *request);
void step_want_auto_(struct step_want *want);
