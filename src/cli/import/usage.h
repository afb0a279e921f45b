/*
 * usage.h - sums that a slurmdbd has made of what jobs held, of the time before the jobs that it
 * has still.
 *
 * Rows are read by association, whose sums are in memory until they are taken; those of an account
 * are the sums of its users and are not looked at. Where no jobs were purged nothing is read: sums
 * here are made of jobs. Else all is until the end of the month in which the first job was
 * submitted, for jobs are purged by that and some that were ran on.
 */
#pragma once

#include "cli/import/foreign.h"
#include "cli/import/plan.h"
#include "common/msg/sums.h"

struct usage {
    struct survey *survey;
    const struct foreign *foreign;
    struct plan *plan; /* gets periods, and why some do not come */
    /* Takes sums, which are borrowed: as many rows as a request has room for. */
    int (*take)(const struct sums_whole *whole, void *ctx, struct err *err);
    void (*tell)(uint64_t rows, void *ctx); /* how many were read, now and then */
    void *ctx;
};

int usage_read(const struct usage *usage, struct err *err);
