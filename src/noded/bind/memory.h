/*
 * memory.h - which NUMA nodes the tasks of a step take their memory from.
 */
#pragma once

#include "common/text/membind.h"
#include "noded/bind/plan.h"

/* Owns its parts; all zero binds nothing. */
struct mem_plan {
    struct mem_bind bind;
    struct bitset nodes; /* of the machine, by their numbers; size 0: nothing is bound */
};

/* Makes the plan. Fails with EINVAL for what cannot be read. *ret is to be released. No `conf`
 * binds nothing. */
int mem_plan_make(const struct bind_conf *conf, const struct launch_body *body,
                  struct mem_plan *ret, struct err *err);
void mem_plan_clear(struct mem_plan *plan);

/* Returns true if tasks are to hear of the plan: SLURM_MEM_BIND. */
bool mem_plan_is_told(const struct mem_plan *plan);

/* Finds the NUMA nodes of the `local`th task; all of them where it is not bound. `ret` is
 * initialised. Fails with ENODEV for one that the machine does not have. */
int mem_plan_nodes(const struct mem_plan *plan, uint32_t local, struct bitset *ret,
                   struct err *err);

/* Binds the calling process to these NUMA nodes. Returns 0 or -errno. */
int mem_plan_apply(const struct mem_plan *plan, const struct bitset *nodes);

/* Appends the line of --mem-bind=verbose about a task. */
void mem_plan_describe(const struct mem_plan *plan, const struct bound_task *task,
                       const struct bitset *nodes, struct strbuf *out);
