/*
 * story.h - the life of a cluster as lines of text, one change a line, that can be told again.
 *
 *     nodes=2x1x2x1 select=core           the cluster: what sim_new takes
 *     node 1: features=x down             before the first change
 *     partition p0: nodes=0-1 tier=2
 *     switch nodes=0-1 level=0
 *     pool total=3 private
 *     pool gate opens=10
 *     resize 0 5                          the pool has another total, or opens in so many seconds
 *     reservation nodes=0 parts=1:0-1 claims=0:2 from=10 to=20 every=30 times=2 absent=1
 *                                                  before the first change or later
 *     job j0: tasks=2 time=10
 *     end j0 | release j0 1 | limit j0 30 | priority j0 7
 *     node 1 up | partition p0 down
 *     clock 8000 ms                       time passes, nothing else happens
 *     now 8000 ms                         time passes, the planner works until all is planned
 *     now 8000 ms, step 5                 or for 5 units
 *
 * A line that means nothing to the cluster as it is (its job was never there) is passed over: a
 * story from which lines were left out is still a story.
 */
#pragma once

#include "unit/ctld/sched/sim.h"

/* Tells one line; *sim is NULL before the first. True when it was a step that ended a pass. */
bool story_tell(struct sim **sim, const char *line);

/* Whether the line is a step; only then jobs start. */
bool story_is_step(const char *line);

struct sim_job *story_job(struct sim *sim, const char *name, size_t n);
