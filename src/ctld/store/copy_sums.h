/*
 * copy_sums.h - sums of what jobs held, copied as they are: they outlive the jobs.
 *
 * A period of the calendar is copied whole, or left as it is: the two places that have one have
 * seen the same jobs, but for those that one of them has not been told of, or whose sums it has
 * purged. So the period with the greater weight is right.
 */
#pragma once

#include "common/msg/sums.h"
#include "ctld/store/db.h"

/* ---- out of the tables ---- */

struct copy_sums;
int copy_sums_new(struct sql *db, struct copy_sums **ret, struct err *err);
struct copy_sums *copy_sums_free(struct copy_sums *copy); /* NULL is fine */

/* Adds some periods to the piece, each with all its rows. Returns 1 if there may be more. */
int copy_sums_next(struct copy_sums *copy, struct turn_changes *ret, struct err *err);

/* ---- into tables ---- */

/* Rows that go on with this period are taken; all zero: none are. */
struct sums_taking {
    bool takes;
    uint32_t period;
    int64_t at;
};

/* Takes rows of a period. Where they are its first, *taking becomes whether it is to be replaced by
 * them and those that follow: it weighs less here; or with `is_right` not more. */
int copy_sums_take(struct sql *db, struct writer *writer, const struct sums_copied *rows,
                   bool is_right, struct sums_taking *taking, struct err *err);
