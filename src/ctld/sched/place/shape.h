/*
 * shape.h - copies of what a job asks for, and whether two jobs ask for the same.
 */
#pragma once

#include "common/base/strbuf.h"
#include "ctld/sched/planner.h"

/* Releases what a copy owns. */
void shape_clear(struct plan_shape *shape);

/* Copies a shape with all its lists and texts. */
void shape_copy(struct plan_shape *to, const struct plan_shape *from);

/*
 * Adds everything that can make a difference to which nodes will do: jobs whose shapes have equal
 * keys share answers. (switch_wait_ms says when the shape is another one; see sched_option.)
 */
void shape_key(const struct plan_shape *shape, struct strbuf *key);
