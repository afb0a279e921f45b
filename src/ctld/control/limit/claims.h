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
