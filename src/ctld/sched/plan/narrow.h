/*
 * narrow.h - places for jobs of which pools take what their nodes say.
 *
 * Whether such a job fits is known only of given nodes. So those that were found for a moment are
 * counted. Where they may be too many or too large, the job is tried once more on no more nodes
 * than are left, such that as many as it takes of any of them would do; then on nodes that count
 * already and as many others as are left. Nothing further is tried: pools are never exceeded, but a
 * place that other nodes would have allowed may be missed.
 */
#pragma once

#include "ctld/sched/plan/plan.h"

/*
 * Takes the n places that were found for the job by this option at *at, for its length. Returns how
 * many fit, in *places: the same or others. Returns 0 when none do, with the next moment worth a
 * try in *at. Places that are not returned are freed.
 */
uint32_t narrow_places(struct plan *plan, const struct sched_option *option, int64_t length,
                       int64_t now_ms, int64_t *at, struct sched_place **places, uint32_t n);

/* Returns until when a job may have the places from `from` on, as far as these pools go. */
int64_t narrow_until(struct plan *plan, struct claim_list *list, const struct sched_place *places,
                     uint32_t n, int64_t from);
