/*
 * take.h - which cores and devices a part of a job takes, of those that are free.
 *
 * demand_take (demand.h) is here. In a plan for later the lowest ones are taken, first those next
 * to the devices; a start takes what Slurm would (tests/sched/oracle).
 */
#pragma once

#include "ctld/sched/place/room.h"

/* Returns whether the cores of a row hold the part, and what they cost is free: memory, and what
 * the cap leaves. A part that is bound to its devices must find cores next to them. `room`: of this
 * row. */
bool take_is_held(const struct demand *demand, const struct sched_node *node,
                  const struct supply *free, uint32_t row, const struct room *room,
                  const struct demand_part *part);

/* Returns how many free cores are next to the devices that the part would take; all where none are
 * nearer. */
uint32_t take_cores_near(const struct demand *demand, const struct sched_node *node,
                         const struct supply *free, const struct demand_part *part);

/* Returns how much of the part's share lies together, of one type and near the same cpus. */
struct gres_share take_most_close(const struct demand *demand, const struct sched_node *node,
                                  const struct supply *free, const struct demand_part *part);
