/*
 * share.h - what the accounts and users of a cluster may use of it and have used, for sshare.
 *
 * Factors are told in billionths, usage in thousandths of a TRES second.
 */
#pragma once

#include "common/msg/acct.h"

#define SHARE_BILLION   1000000000.0
#define SHARE_THOUSAND  1000.0
#define SHARE_INFINITE  UINT64_MAX       /* a level without any usage */
#define SHARE_NOT_SHOWN (UINT64_MAX - 1) /* the association has no such factor */

/* Whose shares are told; nothing named: of all. */
#define SHARE_LIST(FIELD, LIST, PART)                                                              \
    FIELD(1, STRS, accounts, 0, "only what is in these")                                           \
    FIELD(2, STRS, users, 0, "of users only these; accounts are told anyway")
SCHEMA_DECLARE(share_list, SHARE_LIST);

/* An association. They come in the order of the tree: each before what is below it, users before
 * accounts, then by name. */
#define SHARE_INFO(FIELD, LIST, PART)                                                              \
    FIELD(1, U32, id, FIELD_REQUIRED, "of the association")                                        \
    FIELD(2, STR, cluster, 0, "")                                                                  \
    FIELD(3, STR, account, 0, "")                                                                  \
    FIELD(4, STR, user, 0, "absent: the account itself")                                           \
    FIELD(5, STR, parent, 0, "of an account: the one above; absent: it is the root")               \
    FIELD(6, STR, partition, 0, "")                                                                \
    FIELD(7, U32, shares, 0, "or SHARES_PARENT")                                                   \
    FIELD(8, U64, norm_shares, 0, "in billionths, as the next")                                    \
    FIELD(9, U64, norm_usage, 0, "of all that was used")                                           \
    FIELD(10, U64, effective_usage, 0, "")                                                         \
    FIELD(11, U64, factor, 0, "FairShare, or SHARE_NOT_SHOWN")                                     \
    FIELD(12, U64, level, 0, "LevelFS, SHARE_INFINITE or SHARE_NOT_SHOWN")                         \
    LIST(13, acct_amount, used, 0, "of every TRES: thousandths of a second")                       \
    LIST(14, acct_amount, grp_tres_mins, 0, "the limit: minutes")                                  \
    LIST(15, acct_amount, run, 0, "what running jobs may still use: as `used`")
SCHEMA_DECLARE(share_info, SHARE_INFO);
