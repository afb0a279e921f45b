/*
 * acct_use.h - what associations and QOS have and have had at one moment, for scontrol show
 * assoc_mgr.
 */
#pragma once

#include "common/msg/acct.h"

/* What jobs of an association use now, or those of a QOS: all of them, those of one user, or those
 * of one account. They come associations first, then all QOS, then their accounts and users. What
 * users and accounts have used of a QOS is not told. */
#define ACCT_USE(FIELD, LIST, PART)                                                                \
    FIELD(1, U32, assoc_id, 0, "of the association; 0: it is about a QOS")                         \
    FIELD(2, U32, qos_id, 0, "of the QOS; 0: it is about an association")                          \
    FIELD(3, STR, account, 0, "of a QOS: only jobs of this account")                               \
    FIELD(4, STR, user, 0, "of a QOS: only jobs of this user")                                     \
    FIELD(5, U32, jobs, 0, "that run; a task of an array is one")                                  \
    FIELD(6, U32, submitted, 0, "that wait or run")                                                \
    FIELD(7, U32, accruing, 0, "that wait and gain priority by that")                              \
    LIST(8, acct_amount, held, 0, "by jobs that run; memory in MB")                                \
    LIST(9, acct_amount, left, 0, "what these may still use: thousandths of a TRES second")        \
    LIST(10, acct_amount, used, 0, "decaying: thousandths of a TRES second")                       \
    FIELD(11, U64, wall_ms, 0, "run time, decaying")
SCHEMA_DECLARE(acct_use, ACCT_USE);
