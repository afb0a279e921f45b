/*
 * narrow.h - places for jobs of which pools take what their nodes say.
 *
 * Whether such a job fits is known only of given nodes. So those that were found for a moment are
 * counted; where they may be too many or too large, the job is tried once more on no more nodes
 * than are left, and such that so many like each of them would do; then on nodes that count already
 * and as many others as are left. That is all: no pool gives more than it has, and what does not
 * fit does not fit either when others take nodes.
 */
#pragma once

#include "ctld/sched/plan/plan.h"

/*
 * The n places were found for the job by this option at *at, for its length. Returns them if they
 * fit, others that do, or 0 and in *at the next moment that is worth a try; freed are those that
 * are not returned.
 */
uint32_t narrow_places(struct plan *plan, const struct sched_option *option, int64_t length,
                       int64_t now_ms, int64_t *at, struct sched_place **places, uint32_t n);

/* How long a job may have the places from `from` on, as far as these pools go. */
int64_t narrow_until(struct plan *plan, struct claim_list *list, const struct sched_place *places,
                     uint32_t n, int64_t from);
