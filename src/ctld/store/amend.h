/*
 * amend.h - what is changed of a job or run that the tables have already. Inside the store.
 */
#pragma once

#include "ctld/store/sums.h"

/*
 * Changes the record that a CHANGE_AMEND is about: the job's, or that of an earlier run of it. One
 * that is not there, as a purge has taken it, stays away. Sums follow a wckey that changes.
 */
int amend_write(struct sql *db, struct sums *sums, const struct change *change, struct err *err);
