/*
 * enclosed.h - scripts and environments that bodies of jobs name, as changes for another store,
 * where that is to have them (AccountingStoreFlags).
 */
#pragma once

#include "ctld/store/db.h"

/* Adds those that an encoded body names and that `ret` does not have yet, a large one as several
 * changes, each with its offset as `number`. */
int enclosed_add(struct sql *db, const struct blob *body, const struct store_bodies *which,
                 struct turn_changes *ret, struct err *err);
