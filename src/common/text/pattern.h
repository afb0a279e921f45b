/*
 * pattern.h - file names with replacement symbols: --output=%x_%j.out, slurm-%A_%a.out.
 *
 * Pure. A name must be expanded only once: what a job's name puts in is not looked at again.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/base/err.h"

/* The longest name that may result, in bytes. */
#define PATTERN_RESULT_MAX 4096

/* The largest width to which a number is padded. */
#define PATTERN_WIDTH_MAX 10

/*
 * The values of symbols, borrowed by pattern_expand. For NULL and NO_VAL (jobid.h), which mean not
 * known, the symbol stays in the name.
 */
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
 * Replaces the symbols of `pattern`. %4j pads a number with zeros, and %% is one percent sign.
 * Other letters stay as they are. A backslash anywhere turns all symbols off, and then every
 * backslash is dropped but one after another. *ret_name is to be freed. Fails with E_TOO_BIG.
 */
int pattern_expand(const char *pattern, const struct pattern_values *values, char **ret_name,
                   struct err *err);

/*
 * Returns true if the pattern has one of these symbols: "nN" tests for a file per node, "t" for one
 * per task.
 */
bool pattern_has(const char *pattern, const char *letters);
