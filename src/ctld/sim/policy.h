/*
 * policy.h - scheduling policies by their names in the literature. Each is a setting of the one
 * planner.
 */
#pragma once

#include "ctld/sched/planner.h"

/*
 *   fcfs     strict order of arrival
 *   easy     a place in the future for the first waiting job; others start when they delay it not
 *   sjbf     the same, and of those others the shortest are tried first
 *   plan     every waiting job has a place in the future
 *   default  what a controller does whose slurm.conf sets nothing
 *
 * Fails with EINVAL, naming the names.
 */
int policy_find(const char *name, struct plan_policy *ret, struct err *err);
