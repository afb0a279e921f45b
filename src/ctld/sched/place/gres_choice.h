/*
 * gres_choice.h - which sorts of a node's devices serve what a job wants, and the cpus near them.
 *
 * A want without type may be served by several sorts. The first of these that will do is chosen:
 * devices of one type near the same cpus; devices of one type; any. It will do when it has enough
 * free devices, and enough of the free cores are near; where none has the cores, the devices alone
 * decide. What is chosen stays so when others take what is left (demand.h). A start looks at that,
 * too: of devices of one type near the same cpus it takes those with most free cores, as Slurm.
 */
#pragma once

#include "ctld/sched/place/gres.h"

#define GRES_WANTS_MAX 16 /* of a job, beyond that any sort will do */

struct gres_choice {
    uint64_t rows[GRES_WANTS_MAX]; /* bit i: the node's i-th sort may serve the want */
    uint64_t *counts;              /* owned; NULL, or of each want so many of each sort (bound.h) */
    uint32_t counts_n;             /* sorts; [want * counts_n + sort] */
    bool by_socket;                /* so many near the same cpus for each socket asked */
    struct bitset near;            /* owned; size 0: no cpu is nearer than another */
    struct bitset spots; /* owned; cpus to be taken, for each group of devices in `counts` */
};

/* Returns the choice that anything wanted will do for. */
struct gres_choice gres_choice_any(void);
void gres_choice_auto_(struct gres_choice *choice);

bool gres_choice_has(const struct gres_choice *choice, uint32_t want, uint32_t row);

/* What is chosen for. Borrows all. */
struct gres_part {
    const struct supply *free;
    uint32_t tasks;
    const struct gres_share *share;
    const struct cores *cores; /* the free ones, of which the part needs: */
    uint32_t cores_n;
    bool now;    /* it starts now */
    bool bound;  /* devices that no free core is near are of no use to it */
    bool covers; /* bound.h: a core near each group of its devices is taken */
};

/* Chooses sorts for the part; returns false when too few devices are of use. `ret` comes as
 * gres_choice_any. */
bool gres_choose(const struct gres_wants *wants, const struct sched_node *node,
                 const struct gres_part *part, struct gres_choice *ret);

/* Returns how many devices the part can get of one type near the same cpus, of those that are
 * pooled. */
uint64_t gres_most_close(const struct gres_wants *wants, const struct sched_node *node,
                         const struct gres_part *part, uint32_t pooled);
