/*
 * pattern.h - file names with replacement symbols: --output=%x_%j.out, slurm-%A_%a.out.
 *
 * Pure. Expand a name once: what a job's name puts in is not looked at again.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/base/err.h"

/* The longest name that may come out, in bytes. */
#define PATTERN_RESULT_MAX 4096

/* The widest that a number is padded. */
#define PATTERN_WIDTH_MAX 10

/* Borrowed by pattern_expand. NULL and NO_VAL (jobid.h) mean not known; that symbol then stays. */
struct pattern_values {
    uint32_t job;          /* %j, and %J with the step */
    uint32_t array_job;    /* %A; the job's own id when it is no array */
    uint32_t array_task;   /* %a; a job that is no array has 4294967294 there, as in Slurm; %b is
                            * its last digit */
    uint32_t step;         /* %s; "batch" for a batch step */
    uint32_t node;         /* %n, counted from 0 within the job */
    uint32_t task;         /* %t */
    const char *node_name; /* %N, short */
    const char *user_name; /* %u */
    const char *job_name;  /* %x */
};

/*
 * %4j pads a number with zeros. %% is one percent sign. Other letters stay as they are. A backslash
 * anywhere turns all symbols off, and then every backslash is dropped but one after another.
 * *ret_name is to be freed. Fails with E_TOO_BIG.
 */
int pattern_expand(const char *pattern, const struct pattern_values *values, char **ret_name,
                   struct err *err);

/* True if one of the symbols is used; "nN" asks for a file per node, "t" for one per task. */
bool pattern_has(const char *pattern, const char *letters);
