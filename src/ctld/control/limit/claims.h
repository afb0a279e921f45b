/*
 * claims.h - what a job takes of the pools in which limits on what is held at one time are counted.
 */
#pragma once

#include "ctld/control/limit/standing.h"
#include "ctld/sched/planner.h"

/* Appends to the list (an array from the heap of *n members, or NULL) what the job claims if it
 * runs in the partition, in the order in which limits are checked. Pools are numbered from `first`.
 */
void limit_add_claims(struct control *control, const struct job_record *rec,
                      const struct job_request *request, const struct partition *part,
                      uint32_t first, struct plan_claim **claims, uint32_t *n);

/* Returns when decay will have made room for all that the job may use of its limits in minutes, if
 * nothing else is used of them: cluster time, now if there is room, or if only what is used counts
 * (without `safe`); INT64_MAX: never. */
int64_t limit_room_ms(struct control *control, struct moment now, const struct job_record *rec,
                      const struct job_request *request, const struct partition *part);
