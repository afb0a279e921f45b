/*
 * bound.h - devices for a part of a job that may use only cores near them.
 *
 * (--gres-flags=enforce-binding.) Which devices a part takes decides which cores are there for it:
 * those near any one of them. So a choice takes at least one device of each of some groups near the
 * same cpus, and cores of these groups only, of each at least one. Cores that are dealt by
 * sockets, whole or bounded ones, come in their own way: there a group may be left without. A
 * choice is found whenever there is one: groups are tried in every combination that its devices can
 * come from. The fewest groups win, then the first; for a start those with most free cores near
 * come first, as in Slurm. In the same groups devices of one type go before mixed ones. Nothing
 * that the part leaves free has a say (demand.h).
 *
 * Resources that are near no cpus in particular take no part in this. Pure.
 */
#pragma once

#include "ctld/sched/place/gres_choice.h"

#define BOUND_SORTS_MAX 63 /* of a node */

/* Returns whether the part's cores near these cpus are enough for it when it takes at least `least`
 * of them. `near` of size 0: all cores. */
typedef bool bound_enough_fn(const void *arg, const struct bitset *near, uint32_t least);

/* Fills the choice: devices of each sort, and the cpus near them. Returns false when there is none;
 * `ret`, which comes as gres_choice_any, is then not to be used. */
bool bound_choose(const struct gres_wants *wants, const struct sched_node *node,
                  const struct gres_part *part, bound_enough_fn *enough, const void *arg,
                  struct gres_choice *ret);
