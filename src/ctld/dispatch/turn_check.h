/*
 * turn_check.h - what a peer tells of turns and copies, before it goes to the store, for which a
 * change that it cannot write is the end.
 */
#pragma once

#include "common/msg/dbd.h"

/* Refuses a part that has a change which no log or copy has, a record that cannot be read, or a job
 * of times that cannot be. */
int turn_check_part(const struct dbd_turn *part, struct err *err);

/* Refuses a turn or piece, all of whose parts are joined, where a blob is not what its name says,
 * or rows of a period are not all of it. */
int turn_check_whole(const struct turn_changes *whole, struct err *err);
