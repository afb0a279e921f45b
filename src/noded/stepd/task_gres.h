/*
 * task_gres.h - what the environment tells tasks of the gpus they may use. Pure.
 *
 * SLURM_JOB_GPUS or SLURM_STEP_GPUS have the gpus' numbers on the node; CUDA_VISIBLE_DEVICES and
 * its kin have what the vendors' libraries count: the same numbers, or, where the kernel lets a
 * step see no others, numbers from 0.
 */
#pragma once

#include "common/text/gpubind.h"
#include "noded/stepd/task_env.h"

/* Sets what all tasks of the node have of devices. */
void task_gres_set_node(struct task_env *env, const struct task_env_node *node);

/* A task for which gpus are chosen. */
struct gpu_task {
    uint32_t local;             /* counts the node's tasks */
    const struct bitset *cores; /* that it is bound to; empty: it may run on all */
};

/* Sets what one task has beside, where gpus are bound; lines for its stderr are appended to
 * `said`. */
void task_gres_set_task(struct task_env *env, const struct task_env_node *node,
                        const struct gpu_bind *bind, const struct gpu_task *task,
                        struct strbuf *said);
