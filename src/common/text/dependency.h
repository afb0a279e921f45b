/*
 * dependency.h - what a job waits for: "afterok:12:13_4,singleton" as sbatch --dependency takes it.
 *
 * Form and meaning are those of sbatch(1), --dependency. Where Slurm 22.05 reads a slip of the pen
 * as something else ("afterok:-3", "after:1+5m"), it is refused here. Pure.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/base/strbuf.h"

/* The numbers are kept in records and must not change. */
enum dependency_kind {
    DEPEND_AFTER,        /* the job has started, or is over; and some minutes more */
    DEPEND_AFTER_ANY,    /* it is over */
    DEPEND_AFTER_OK,     /* it is over and did well */
    DEPEND_AFTER_NOT_OK, /* it is over and did not */
    DEPEND_AFTER_CORR,   /* the task with the same number did well */
    DEPEND_BURST_BUFFER, /* it is over, and what it wrote to a burst buffer is in place */
    DEPEND_SINGLETON,    /* no other job of the user has the same name */
    DEPEND_KINDS_N,
};

struct dependency {
    uint32_t kind;    /* enum dependency_kind */
    uint32_t job;     /* or array; 0 for DEPEND_SINGLETON */
    uint32_t task;    /* of the array; NO_VAL: not named */
    bool all_tasks;   /* "12_*" */
    uint32_t minutes; /* waited for with DEPEND_AFTER, else only shown */
};

#define DEPENDENCIES_MAX       8192 /* in one text */
#define DEPENDENCY_MINUTES_MAX (INT32_MAX / 60)

/* A list of dependencies. Owns its array: `AUTO(dependencies) struct dependencies list = { 0 };` */
struct dependencies {
    struct dependency *at;
    uint32_t n;
    bool any; /* '?' stands between them: one is enough */
};

/*
 * Reads a list of dependencies; one that is named twice is kept once. "" and "0" give none, and a
 * number alone is a job of DEPEND_AFTER_ANY. What scontrol shows behind a job, "12(unfulfilled)",
 * is accepted and ignored. Fails with E_DEPENDENCY, naming what is wrong.
 */
int dependencies_parse(const char *text, struct dependencies *ret, struct err *err);
void dependencies_clear(struct dependencies *list);
void dependencies_auto_(struct dependencies *list);

/* Appends one dependency, such as "after:12_*+5". */
void dependency_format(const struct dependency *dependency, struct strbuf *out);
void dependencies_format(const struct dependencies *list, struct strbuf *out);
