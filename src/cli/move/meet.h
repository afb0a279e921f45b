/*
 * meet.h - records of accounts of a cluster beside those of its slurmdbd.
 */
#pragma once

#include "cli/lib/command.h"
#include "common/msg/acct_meet.h"

/* What becomes of them, counted by kind (its position in KEPT_KINDS) and by enum acct_met. */
struct meet {
    enum acct_keep keep; /* what the caller has said */
    uint32_t counts[KEPT_KINDS_N][ACCT_CONFLICT + 1];
    uint32_t conflicts;
    struct strbuf told; /* the conflicts, in words */
};

/* Compares what the cluster's controller has with what slurmdbd has. `there` may be NULL: it has
 * nothing. */
int meet_look(const char *cluster, struct client *own, struct client *there, struct meet *ret,
              struct err *err);
void meet_clear(struct meet *meet);

/* Prints how many of each kind come, are there, and differ; then the conflicts. */
void meet_print(const struct meet *meet);
