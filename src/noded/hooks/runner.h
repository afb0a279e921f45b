/*
 * runner.h - a process that runs programs as root, one after another, and writes down the end.
 *
 * It is forked from the monitor and needs nothing of it: a daemon that restarts meanwhile finds the
 * lock held, and later the result.
 */
#pragma once

#include "common/msg/hook.h"

/* What a runner is to do; borrowed, and needed only during hook_runner_start. */
struct hook_run {
    const char *setting;       /* as slurm.conf says it */
    char *const *environment;  /* NAME=value, ended by NULL */
    uint32_t timeout_s;        /* for each program; 0: none */
    const char *limit;         /* whose value that is, with '='; NULL: nobody's */
    int record_fd;             /* directory of the record */
    const char *beginning;     /* empty file to make there before the first one; NULL: none */
    const char *result;        /* file to write there: an encoded hook_report */
    struct hook_report report; /* whose; how it ended is filled in */
};

/* Starts a runner. Fails with EBUSY while an earlier one holds the record. */
int hook_runner_start(const struct hook_run *run, struct err *err);

/* Returns true if a runner holds the record. */
bool hook_runner_lives(int record_fd);

/* Reads a result. Returns 1 with *ret, or 0 when there is none; damaged ones are errors. */
int hook_runner_read(int record_fd, const char *result, struct hook_report *ret, struct err *err);
