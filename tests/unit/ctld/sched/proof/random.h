/*
 * random.h - random clusters, queues and changes, as the lines of a story.
 *
 * The same chance gives the same lines.
 */
#pragma once

#include "unit/ctld/sched/sim.h"

/* Numbers from a seed, or from bytes while there are some (then 0). */
struct chance {
    uint64_t state;
    const uint8_t *bytes; /* NULL: from the seed */
    size_t bytes_n;
};

uint32_t chance_below(struct chance *chance, uint32_t n);
bool chance_hits(struct chance *chance, uint32_t n); /* one in n */
const char *chance_word(struct chance *chance, const char *const *words, uint32_t n);

/* What a story is made of. */
struct random_mix {
    bool tiny;  /* small numbers everywhere */
    bool bound; /* gpus near cores on all nodes, and jobs that may use only cores near theirs */
    bool flat;  /* nodes of one socket */
    bool counts_cpus; /* one node, whose cpus are only counted */
    bool unbounded;   /* backfill without bounds on what a pass looks at */
    bool lasting;     /* besides, every job has a limit, none has a --begin */
    bool promises;    /* the default policy; every job has a limit, and ends by then */
    bool limits;      /* also spent pools, and jobs that get no place in the future */
    bool beside;      /* there is a forecast, too, and all may claim of pools */
    uint32_t lines;   /* changes after the cluster is there; a pass follows */
};

/* The lines that make the cluster: the first is for sim_new. */
void random_cluster_lines(struct chance *chance, const struct random_mix *mix,
                          struct strbuf *lines);

/* The next change of this cluster; the caller's. */
char *random_change_line(struct chance *chance, const struct random_mix *mix,
                         const struct sim *sim);
