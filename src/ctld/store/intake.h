/*
 * intake.h - brings an archive back into the tables (store_load_archive).
 *
 * Done in bites, between the transactions of turns: first all lines are read, then they come, a
 * bite of them a transaction. The ledger keeps how many have come where that is not seen from the
 * tables: of sums, and of jobs of another database, which are summed.
 */
#pragma once

#include "ctld/store/db.h"

struct intake;

/* Takes over the descriptor, and what `head` owns. */
struct intake *intake_new(struct sql *db, struct writer *writer, int fd, const char *path,
                          struct archive_head *head, bool is_trial);
struct intake *intake_free(struct intake *intake);

/* Returns 1 when there is more to do, 0 when all is done, or an error, which ends it. */
int intake_bite(struct intake *intake, struct err *err);

const struct store_loaded *intake_result(const struct intake *intake);
