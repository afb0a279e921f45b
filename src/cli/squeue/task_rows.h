/*
 * task_rows.h - which rows a job's record gives, where it stands for tasks of an array. Pure.
 */
#pragma once

#include "cli/lib/job_row.h"
#include "cli/lib/records.h"
#include "common/text/jobid.h"
#include "common/text/words.h"

struct task_rows {
    bool each_task;              /* a row for each */
    const struct job_refs *refs; /* what was asked for by name */
    const char *cluster;
    const struct words *only; /* of several partitions: these; NULL or none: all */
    struct job_row *at;       /* the result; the caller frees it, and what was made for it: */
    uint32_t n;
    struct job_record **records; /* shallow, borrowing from the messages and the texts */
    uint32_t records_n;
    char **texts;
    uint32_t texts_n;
};

/*
 * Adds one row; or one for each task; or none: the job was not asked for, or it waits like another
 * part of its array, whose row then names its tasks too and the reasons of both (as Slurm's squeue
 * does).
 */
void task_rows_add(struct task_rows *rows, const struct job_info *info);

/* Divides a row that waits for one of several partitions (PARTITION_INFO) into a row for each. */
void task_rows_divide(struct task_rows *rows, const struct records *partitions);
