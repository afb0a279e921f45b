/*
 * completion.h - what jobcomp/filetxt has written, read back as jobs for -c and -f.
 *
 * A line is a row: a run of a job that has ended, or gave way to a later one. What it does not say
 * is as nothing is known of it.
 */
#pragma once

#include <stdio.h>

#include "common/msg/job.h"

/*
 * Reads a line into *ret_history, which is to be cleared after success. Fails with E_SYNTAX if this
 * is no such line. Pure.
 */
int completion_read(const char *line, struct history_job *ret_history, struct err *err);

/* Calls `on_job` for each job of the file, in its order; passes over all other lines. */
void completion_each(FILE *file, void (*on_job)(const struct history_job *history, void *ctx),
                     void *ctx);
