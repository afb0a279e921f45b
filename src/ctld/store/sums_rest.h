/*
 * sums_rest.h - the rest of whole sums: what jobs held that are not known here.
 *
 * A site that purges jobs keeps the sums of their time. Of such a sum the rest is kept that known
 * jobs do not explain, in a row of SUM_REST cpus. It is made anew whenever the whole is told, so
 * that a whole that comes twice changes nothing, and a job that came since is not counted twice.
 */
#pragma once

#include "common/msg/change.h"
#include "ctld/store/sums.h"

/* Writes the rests of a CHANGE_SUMS_WHOLE, within the caller's transaction. */
int sums_rest_write(struct sql *db, struct sums *sums, const struct change *change,
                    struct err *err);
