/*
 * gres_choice.h - which sorts of a node's devices serve what a job wants, and the cpus near them.
 *
 * A want without type may be served by several sorts. The first of these that will do is chosen:
 * devices of one type near the same cpus; devices of one type; any. It will do when it has enough
 * free devices, and enough of the free cores are near; where none has the cores, the devices alone
 * decide. What is chosen stays so when others take what is left (demand.h).
 */
#pragma once

#include "ctld/sched/gres.h"

#define GRES_WANTS_MAX 16 /* of a job, beyond that any sort will do */

struct gres_choice {
    uint64_t rows[GRES_WANTS_MAX]; /* bit i: the node's i-th sort may serve the want */
    struct bitset near;            /* owned; size 0: no cpu is nearer than another */
};

/* Anything that is wanted will do. */
struct gres_choice gres_choice_any(void);
void gres_choice_auto_(struct gres_choice *choice);

bool gres_choice_has(const struct gres_choice *choice, uint32_t want, uint32_t row);

/* For a part that needs `cores_n` of these free cores. `ret` comes as gres_choice_any. */
void gres_choose(const struct gres_wants *wants, const struct sched_node *node,
                 const struct supply *free, uint32_t tasks, const struct gres_share *share,
                 const struct cores *cores, uint32_t cores_n, struct gres_choice *ret);
