/*
 * array.h - what model.c and jobs.c need of array.c.
 */
#pragma once

#include "ctld/model/model.h"

/* Joins a record that was added to its array, or takes out one that is about to go. Does nothing
 * for one that is no part of an array. */
void model_join_array(struct model *model, struct job *job);
void model_leave_array(struct model *model, struct job *job);
