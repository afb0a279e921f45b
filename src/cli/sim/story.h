/* story.h - scenario files: played, checked, shown. */
#pragma once

#include "common/base/log.h"

/* True if the file's name says that it is a scenario. */
bool story_is_one(const char *path);

/*
 * Plays the scenario. With `check`, prints what was expected and did not come, and fails if
 * anything did not; else prints what became of each job. With `gantt`, draws it into that file.
 * Returns the exit status.
 */
int story_run(const char *path, bool check, const char *gantt, struct log *log);
