/* counts.h - how much history of a cluster there is in its controller and in slurmdbd. */
#pragma once

#include "cli/lib/command.h"
#include "common/msg/move.h"

/* Asks one of the two; what a slurmdbd does not know of is nothing. */
int counts_load(struct client *client, const char *cluster, struct history_counts *ret,
                struct err *err);

/* Prints both, side by side; without `there` what the controller has. */
void counts_print(const struct history_counts *own, const struct history_counts *there);
