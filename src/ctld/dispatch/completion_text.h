/*
 * completion_text.h - a job that has ended, as jobcomp/filetxt writes it to a file and as
 * jobcomp/script tells it in variables. Names and order are Slurm's. Pure.
 */
#pragma once

#include "common/msg/job.h"

/* One whole line; `counted` is AccountingStorageTRES. Control characters in what users wrote become
 * blanks. */
void completion_line(const struct job_record *job, const struct job_body *body, const char *cluster,
                     const char *counted, struct strbuf *out);

/* "NAME=value" strings ended by NULL; each is to be freed, and the array. */
char **completion_environment(const struct job_record *job, const struct job_body *body,
                              const char *cluster);
