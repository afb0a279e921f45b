/*
 * merge.h - a piece of a copy of another store (copying.h) comes into the tables, within a turn's
 * transaction. Nothing is summed by it: sums are copied themselves. A piece that comes twice
 * changes nothing.
 */
#pragma once

#include "ctld/store/db.h"

int merge_apply(struct sql *db, struct writer *writer, const struct turn_changes *piece,
                struct err *err);
