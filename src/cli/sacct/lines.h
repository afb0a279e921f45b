/*
 * lines.h - the lines of all jobs, kept until the last one has come and told in Slurm's order: by
 * the time of submission, an array's tasks by their numbers and before those that wait. Owns its
 * texts.
 */
#pragma once

#include "common/msg/job.h"

struct acct_lines {
    struct acct_block *blocks;
    uint32_t n;
};

/* Takes over `text`, all lines of one job. */
void acct_lines_add(struct acct_lines *lines, const struct job_record *job, struct strbuf *text);

/* Sorts all lines and writes them to standard output. */
int acct_lines_print(struct acct_lines *lines, struct err *err);
void acct_lines_clear(struct acct_lines *lines);
