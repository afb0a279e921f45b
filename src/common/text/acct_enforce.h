/*
 * acct_enforce.h - AccountingStorageEnforce of slurm.conf: what of accounts and QOS is insisted on,
 * as bits. Words that imply others come as all of them.
 */
#pragma once

enum acct_enforce {
    ACCT_ENFORCE_ASSOCIATIONS = 1, /* who has none may not submit */
    ACCT_ENFORCE_LIMITS = 2,
    ACCT_ENFORCE_NO_JOBS = 4,  /* jobs are not recorded */
    ACCT_ENFORCE_NO_STEPS = 8, /* steps are not recorded */
    ACCT_ENFORCE_QOS = 16,     /* jobs name only QOS that their association may use */
    ACCT_ENFORCE_SAFE = 32,    /* no job starts that might use more than limits in minutes leave */
    ACCT_ENFORCE_WCKEYS = 64,
    ACCT_ENFORCE_ALL = ACCT_ENFORCE_ASSOCIATIONS | ACCT_ENFORCE_LIMITS | ACCT_ENFORCE_QOS |
                       ACCT_ENFORCE_SAFE | ACCT_ENFORCE_WCKEYS,
};
