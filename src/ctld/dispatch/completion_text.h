/*
 * completion_text.h - a job that has ended, as jobcomp/filetxt writes it to a file and as
 * jobcomp/script tells it in variables. Names and order are Slurm's. Pure.
 */
#pragma once

#include "common/msg/job.h"

/* Adds one whole line; `counted` is AccountingStorageTRES. Control characters in what users wrote
 * become blanks. */
void completion_line(const struct job_record *job, const struct job_body *body, const char *cluster,
                     const char *counted, struct strbuf *out);

/* Returns "NAME=value" strings ended by NULL; each of them and the array are to be freed. */
char **completion_environment(const struct job_record *job, const struct job_body *body,
                              const char *cluster);
