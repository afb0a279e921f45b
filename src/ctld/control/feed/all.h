/* all.h - telling the planner everything, from nothing, in slices. */
#pragma once

#include "ctld/control/act/act.h"

/* Tells a new planner of the cluster; feed_go_on tells it of the jobs. After this planner_fits_ever
 * may be asked. */
void feed_begin(struct act *act);

/* Tells the planner of so many jobs, or begins anew if that is due; true: there is more to tell. */
bool feed_go_on(struct act *act, uint32_t work);

/* True if the planner knows all jobs: it may make steps, and be asked about what waits. */
bool feed_is_told(const struct control *control);

/* Frees some of what earlier planners held; true: there is more. */
bool feed_free_retired(struct control *control, uint32_t work);
void feed_free(struct control *control); /* at the end: the planners and what belongs to them */
