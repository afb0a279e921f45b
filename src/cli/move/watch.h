/*
 * watch.h - how far the controller is, asked again and again.
 */
#pragma once

#include "cli/lib/command.h"
#include "common/msg/move.h"

/* Asks once; *ret is to be cleared in any case. */
int watch_look(struct client *client, struct move_status *ret, struct err *err);

/* Waits until slurmdbd has all, or with `taken` until all has come from there more often than that.
 * Fails where it cannot go on. */
int watch_told(struct client *client, struct err *err);
int watch_taken(struct client *client, uint32_t taken, struct err *err);

/* Waits until the accounts are the controller's. */
int watch_own(struct client *client, struct err *err);
