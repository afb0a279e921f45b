/*
 * turn_part.h - a turn or a piece of a copy, between a controller and a slurmdbd, in as many frames
 * as it needs.
 */
#pragma once

#include <stdbool.h>

#include "common/msg/dbd.h"

/* Makes the next part of a whole, which it borrows from: begins with a *part that is all zero.
 * Returns false when there is none. */
bool turn_part_next(const struct dbd_turn *whole, struct dbd_turn *part);

/* What a whole may take in memory until it ends. Who tells of turns keeps far below (outgoing.h,
 * copying.h). */
#define TURN_BYTES_MAX (256u << 20)

/* Adds a part that has come to the whole, which takes *bytes in memory; what it owns moves. A blob
 * that came in several changes is one again. Fails, and adds nothing, where the whole would take
 * too much. */
int turn_part_join(struct turn_changes *whole, uint64_t *bytes, struct dbd_turn *part,
                   struct err *err);
