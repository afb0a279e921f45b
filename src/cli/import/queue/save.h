/* save.h - the queue of a running cluster is written to a file, and held there if that is asked. */
#pragma once

#include "cli/import/queue/old.h"

/*
 * Looks at the queue without changing anything, into `ret`, and into the file unless `path` is
 * NULL.
 */
int save_look(const struct old *old, const char *path, struct saved *ret, struct err *err);

/*
 * Holds the jobs that can come, and writes the file when all are held and were looked at after
 * that. Which of them were held before is on disk before the first one is held, so that the
 * command may be repeated, also after it was cut.
 */
int save_and_hold(const struct old *old, const char *path, struct saved *ret, struct err *err);

/* Gives the jobs back the holds that they had. */
int save_undo(const struct old *old, const char *path, struct err *err);
