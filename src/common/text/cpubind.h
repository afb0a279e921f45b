/*
 * cpubind.h - "cores", "verbose,mask_cpu:0x3*2,0xc": how the tasks of a step are bound to cpus.
 *
 * Words as --cpu-bind of srun takes them. Pure.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/base/strbuf.h"

enum cpu_bind_kind {
    CPU_BIND_UNSAID, /* what fits best, or what somebody else says */
    CPU_BIND_NONE,
    CPU_BIND_RANK, /* the nth task of a node to its nth cpu */
    CPU_BIND_MAP,
    CPU_BIND_MASK,
    CPU_BIND_RANK_LDOM, /* the same with NUMA nodes */
    CPU_BIND_MAP_LDOM,
    CPU_BIND_MASK_LDOM,
    CPU_BIND_SOCKETS, /* dealt, see noded/bind/deal.h */
    CPU_BIND_CORES,
    CPU_BIND_THREADS,
    CPU_BIND_LDOMS,
};

/* How tasks are bound. Owns `list`; all zero means that nothing was said. */
struct cpu_bind {
    enum cpu_bind_kind kind;
    bool verbose;
    char *list; /* of maps: decimal, of masks: hexadecimal numbers; see bindlist.h */
};

/* Adds what `text` says to `bind`; other members stay. On failure (EINVAL) nothing is added. */
int cpu_bind_add(struct cpu_bind *bind, const char *text, struct err *err);
void cpu_bind_clear(struct cpu_bind *bind);
void cpu_bind_auto_(struct cpu_bind *bind);

/* Returns the word of a kind, such as "rank" or "mask_cpu:"; "" for CPU_BIND_UNSAID. */
const char *cpu_bind_word(enum cpu_bind_kind kind);

/* Appends all of it in one form, as SLURM_CPU_BIND has it: "quiet,map_cpu:0,1". */
void cpu_bind_format(const struct cpu_bind *bind, struct strbuf *out);
