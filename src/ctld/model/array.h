/*
 * array.h - what model.c and jobs.c need of array.c.
 */
#pragma once

#include "ctld/model/model.h"

/* A record that was added, or is about to go. Nothing happens to one that is no part of an array.
 */
void model_join_array(struct model *model, struct job *job);
void model_leave_array(struct model *model, struct job *job);
