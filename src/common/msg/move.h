/*
 * move.h - accounts, usage and history on their way between a controller and its slurmdbd
 * (docs/adr/0019-move-accounting.md): what the controller is asked to do, and how far it is.
 */
#pragma once

#include "common/msg/acct_meet.h"
#include "common/msg/dbd.h"

#define MOVE_ACCOUNTING(FIELD, LIST, PART)                                                         \
    FIELD(1, BOOL, takes, FIELD_CRITICAL, "the history comes from slurmdbd; else all goes there")  \
    FIELD(2, ENUM, keep, FIELD_CRITICAL, "enum acct_keep")
SCHEMA_DECLARE(move_accounting, MOVE_ACCOUNTING);

enum move_phase {
    MOVE_NOWHERE, /* slurm.conf names no slurmdbd */
    MOVE_AWAY,    /* slurmdbd does not answer */
    MOVE_MEETS,   /* records of accounts are looked at there */
    MOVE_REFUSED, /* they differ from slurmdbd's */
    MOVE_OTHER,   /* slurmdbd's history of the cluster is not from this controller's database */
    MOVE_COPIES,  /* what was here is told */
    MOVE_TOLD,    /* turns are told as they come */
    MOVE_TAKES,   /* what slurmdbd has comes here */
    MOVE_FAILED,  /* the state cannot be read */
    MOVE_PHASES_N
};

#define MOVE_STATUS(FIELD, LIST, PART)                                                             \
    FIELD(1, U64, owner, 0, "number of the slurmdbd that owns the accounts; 0: the controller")    \
    FIELD(2, ENUM, phase, 0, "enum move_phase")                                                    \
    FIELD(3, STR, why, 0, "in words, where something is wrong")                                    \
    FIELD(4, U32, jobs, 0, "that were told, or came, so far")                                      \
    FIELD(5, U32, at_id, 0, "the last of them")                                                    \
    FIELD(6, U32, last_id, 0, "highest number of a job")                                           \
    FIELD(7, U64, ms, 0, "that it has taken so far, or took")                                      \
    FIELD(8, U64, behind, 0, "turns that slurmdbd does not have yet")                              \
    FIELD(9, U32, taken, 0, "how often all has come from slurmdbd since the controller began")     \
    PART(10, dbd_refused, refused, 0, "conflicts")
SCHEMA_DECLARE(move_status, MOVE_STATUS);

/* Asks for how much history there is of a cluster. */
#define HISTORY_COUNT_LIST(FIELD, LIST, PART)                                                      \
    FIELD(1, STR, cluster, FIELD_CRITICAL, "of this cluster; absent: of who asks")
SCHEMA_DECLARE(history_count_list, HISTORY_COUNT_LIST);

#define HISTORY_COUNTS(FIELD, LIST, PART)                                                          \
    FIELD(1, U64, jobs, 0, "")                                                                     \
    FIELD(2, U64, runs, 0, "earlier ones, of jobs that waited again")                              \
    FIELD(3, U64, steps, 0, "")                                                                    \
    FIELD(4, U64, events, 0, "of nodes and the cluster")                                           \
    FIELD(5, U64, periods, 0, "hours, days and months that have sums")                             \
    FIELD(6, U64, cpu_s, 0, "cpu seconds, of the sums of months")
SCHEMA_DECLARE(history_counts, HISTORY_COUNTS);
