/*
 * completion.h - what jobcomp/filetxt has written, read back as jobs for -c and -f.
 *
 * A line is a row: a run of a job that has ended, or gave way to a later one. What it does not say
 * is as nothing is known of it.
 */
#pragma once

#include <stdio.h>

#include "common/msg/job.h"

/* *ret_history, to be cleared, is set on success. E_SYNTAX: this is no such line. Pure. */
int completion_read(const char *line, struct history_job *ret_history, struct err *err);

/* Calls for each job of the file, in its order; passes over lines that are something else. */
void completion_each(FILE *file, void (*on_job)(const struct history_job *history, void *ctx),
                     void *ctx);
