/*
 * gpubind.h - "per_task:2", "map_gpu:0,1*3": which task of a node sees which of the step's gpus.
 *
 * Words as --gpu-bind of srun takes them, with "verbose," or "quiet," in front. Pure.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/base/bitset.h"
#include "common/base/err.h"

enum gpu_bind_kind {
    GPU_BIND_NONE,     /* every task sees all */
    GPU_BIND_CLOSEST,  /* those near the cores that the task runs on */
    GPU_BIND_SINGLE,   /* one each; `each` tasks in a row share one */
    GPU_BIND_PER_TASK, /* `each` gpus for a task */
    GPU_BIND_MAP,      /* numbers[i] is the gpu of task i, and again from the start */
    GPU_BIND_MASK,     /* the same with masks */
};

#define GPU_BIND_LIST_MAX 4096

/* How tasks are bound to gpus. Owns `numbers`; all zero is GPU_BIND_NONE. */
struct gpu_bind {
    enum gpu_bind_kind kind;
    bool verbose;
    uint32_t each;
    uint64_t *numbers; /* gpus below 64 */
    uint32_t numbers_n;
};

/* Reads the value of --gpu-bind; NULL gives GPU_BIND_NONE. Fails with EINVAL. */
int gpu_bind_parse(const char *text, struct gpu_bind *ret, struct err *err);
void gpu_bind_clear(struct gpu_bind *bind);
void gpu_bind_auto_(struct gpu_bind *bind);

/*
 * Chooses which of the step's gpus on a node its `local`th task sees, as positions. `gpus` are the
 * numbers of these gpus on the node, which map and mask name. When the choice would be empty, the
 * task sees all. `ret` is sized by the caller; for GPU_BIND_CLOSEST it already holds the gpus near
 * the task, which only the caller knows, and is empty otherwise.
 */
void gpu_bind_choose(const struct gpu_bind *bind, const uint32_t *gpus, uint32_t gpus_n,
                     uint32_t local, struct bitset *ret);
