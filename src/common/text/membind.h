/*
 * membind.h - "local", "verbose,prefer,map_mem:0,1": which NUMA nodes tasks take memory from.
 *
 * Words as --mem-bind of srun takes them. Pure.
 */
#pragma once

#include <stdbool.h>

#include "common/base/err.h"
#include "common/base/strbuf.h"

enum mem_bind_kind {
    MEM_BIND_UNSAID,
    MEM_BIND_NONE,
    MEM_BIND_RANK,  /* the nth task of a node from its nth NUMA node */
    MEM_BIND_LOCAL, /* from that of the cpu it runs on */
    MEM_BIND_MAP,
    MEM_BIND_MASK,
};

/* How memory is bound. Owns `list`; all zero means that nothing was said. */
struct mem_bind {
    enum mem_bind_kind kind;
    bool verbose;
    bool prefer; /* from others, too, when there is none left */
    bool sort;   /* asks for something that Linux has on few machines; only told to the tasks */
    char *list;  /* as in struct cpu_bind */
};

/* Adds what `text` says to `bind`; other members stay. On failure (EINVAL) nothing is added. */
int mem_bind_add(struct mem_bind *bind, const char *text, struct err *err);
void mem_bind_clear(struct mem_bind *bind);
void mem_bind_auto_(struct mem_bind *bind);

bool mem_bind_says_nothing(const struct mem_bind *bind);

/* Returns the word of a kind, such as "rank" or "map_mem:"; "" for MEM_BIND_UNSAID. */
const char *mem_bind_word(enum mem_bind_kind kind);

/* Appends all of it in one form, as SLURM_MEM_BIND has it: "quiet,prefer,map_mem:0,1". */
void mem_bind_format(const struct mem_bind *bind, struct strbuf *out);
