/* array.h - which tasks of a job array the planner knows. */
#pragma once

#include "ctld/model/model.h"

/* The next task of the record that the planner is to know; -1: none. */
int64_t feed_next_task(const struct job *job);
void feed_note_told(struct job *job, uint32_t task);
void feed_forget_told(struct job *job); /* all of the record's */

/* True if only the array's limit keeps the job's tasks from the planner. */
bool job_awaits_array(const struct job *job);
