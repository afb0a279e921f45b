/*
 * namesakes.h - what model.c and jobs.c need of namesakes.c.
 */
#pragma once

#include "ctld/model/model.h"

/* Joins a job that was added to its namesakes, or takes out one that is about to go. */
void model_join_namesakes(struct model *model, struct job *job);
void model_leave_namesakes(struct model *model, struct job *job);
