/*
 * tasks.h - the tasks of a job array: "0-15:4,20%2" as sbatch --array takes it, "1-5,7" as it is
 * shown.
 *
 * Form and meaning are those of sbatch(1), --array. Pure.
 */
#pragma once

#include "common/base/bitset.h"
#include "common/base/err.h"
#include "common/base/strbuf.h"

#define ARRAY_TASKS_MAX 4000002 /* the largest MaxArraySize, and one */

/*
 * Reads numbers, ranges and ranges with a step, in any order; what is named twice counts once. All
 * must be below `end`, at most MaxArraySize. After '%' may stand how many run at once: *ret_limit,
 * where 0 means any number. `ret` is overwritten: its size is the highest number + 1. Fails with
 * E_ARRAY, naming what is wrong.
 */
int tasks_parse(const char *text, uint32_t end, struct bitset *ret, uint32_t *ret_limit,
                struct err *err);

/* Appends the tasks as "1-5,7"; nothing for an empty set. */
void tasks_format(const struct bitset *tasks, struct strbuf *out);
