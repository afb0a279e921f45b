/*
 * acct.h - who may use the cluster, for how much, and in whose name: clusters, accounts, users,
 * associations, QOS, wckeys and the resources that are counted.
 *
 * Names, meanings and units are those of Slurm's sacctmgr(1). A record that is deleted stays, with
 * the time of that, so that history can name it; whoever adds it again brings it back. Records name
 * each other by name; numbers are for who asks for them (`format=id`).
 */
#pragma once

#include "common/base/err.h"
#include "common/msg/cluster_event.h"

/* What a user may change beside his own: each level includes those before it. */
enum admin_level { ADMIN_NONE, ADMIN_OPERATOR, ADMIN_ADMINISTRATOR, ADMIN_LEVELS_N };

/* Flags of an account, as bits. */
enum account_flag {
    ACCOUNT_USERS_ARE_COORDS = 1 /* whoever is in it coordinates it, and what is below it */
};

/* Flags of a QOS, as bits. */
enum qos_flag {
    QOS_PARTITION_MIN_NODES = 1,     /* may be below the partition's MinNodes */
    QOS_PARTITION_MAX_NODES = 2,     /* may be above its MaxNodes */
    QOS_PARTITION_TIME_LIMIT = 4,    /* may be above its MaxTime */
    QOS_ENFORCE_USAGE_THRESHOLD = 8, /* jobs below UsageThreshold are refused */
    QOS_NO_RESERVE = 16,             /* jobs get no place in the future */
    QOS_REQUIRES_RESERVATION = 32,   /* only inside reservations */
    QOS_DENY_ON_LIMIT = 64,          /* what could never start is refused when submitted */
    QOS_OVER_PARTITION_QOS = 128,    /* its limits go before those of the partition's QOS */
    QOS_NO_DECAY = 256,              /* its usage stays */
    QOS_USAGE_FACTOR_SAFE = 512,     /* `safe` counts with UsageFactor */
    QOS_RELATIVE = 1024              /* its amounts are shares of the cluster; since 24.05 */
};
#define QOS_FLAGS (2 * QOS_RELATIVE - 1) /* all of them */

enum qos_preempt_mode {
    QOS_PREEMPT_CLUSTER, /* as the cluster has it */
    QOS_PREEMPT_OFF,
    QOS_PREEMPT_CANCEL,
    QOS_PREEMPT_REQUEUE,
    QOS_PREEMPT_SUSPEND,
    QOS_PREEMPT_GANG,
    QOS_PREEMPT_WITHIN, /* also jobs of the QOS itself */
    QOS_PREEMPT_GANG_SUSPEND,
    QOS_PREEMPT_MODES_N
};

#define SHARES_DEFAULT 1
#define SHARES_PARENT  COUNT_INFINITE /* Fairshare=parent */

/* Limits that associations and QOS have alike. Absent ones do not limit. Times are minutes. */
#define ACCT_LIMITS(FIELD, LIST)                                                                   \
    LIST(40, acct_amount, grp_tres, 0, "GrpTRES: of all running jobs")                             \
    LIST(41, acct_amount, grp_tres_mins, 0, "GrpTRESMins: TRES minutes, decaying")                 \
    LIST(42, acct_amount, grp_tres_run_mins, 0, "GrpTRESRunMins: what running jobs may still use") \
    FIELD(43, COUNT, grp_jobs, 0, "GrpJobs: running ones")                                         \
    FIELD(44, COUNT, grp_jobs_accrue, 0, "GrpJobsAccrue: those whose age counts")                  \
    FIELD(45, COUNT, grp_submit_jobs, 0, "GrpSubmitJobs: running and waiting ones")                \
    FIELD(46, COUNT, grp_wall, 0, "GrpWall: minutes, decaying")                                    \
    LIST(47, acct_amount, max_tres_per_job, 0, "MaxTRES, MaxTRESPerJob")                           \
    LIST(48, acct_amount, max_tres_per_node, 0, "MaxTRESPerNode")                                  \
    LIST(49, acct_amount, max_tres_mins_per_job, 0, "MaxTRESMins, MaxTRESMinsPerJob")              \
    FIELD(50, COUNT, max_wall_per_job, 0, "MaxWall: minutes")                                      \
    FIELD(51, COUNT, min_prio_threshold, 0, "MinPrioThreshold: of who gets a place in the future")

#define CLUSTER_RECORD(FIELD, LIST, PART)                                                          \
    FIELD(1, STR, name, FIELD_REQUIRED, "ClusterName, in small letters")                           \
    FIELD(2, TIME, created, 0, "")                                                                 \
    FIELD(3, TIME, modified, 0, "")                                                                \
    FIELD(4, TIME, deleted, 0, "0: it is there")                                                   \
    FIELD(5, STR, classification, 0, "Classification")                                             \
    FIELD(6, STRS, features, 0, "Features")                                                        \
    FIELD(7, STR, federation, 0, "Federation")                                                     \
    FIELD(8, STR, federation_state, 0, "FedState")                                                 \
    FIELD(9, U32, federation_id, 0, "the cluster's number in its federation, from 1")              \
    FIELD(20, STR, host, 0, "where its controller is reached, as it told a slurmdbd")              \
    FIELD(21, U32, port, 0, "and by which port")                                                   \
    PART(22, cluster_event, event, 0, "what it consists of now: the controller keeps it")          \
    FIELD(23, BOOL, has_history, 0, "slurmdbd was given its history, by no controller")
SCHEMA_DECLARE(cluster_record, CLUSTER_RECORD);

/* Clusters that belong together name it. Nothing follows from that. */
#define FEDERATION_RECORD(FIELD, LIST, PART)                                                       \
    FIELD(1, STR, name, FIELD_REQUIRED, "in small letters")                                        \
    FIELD(2, TIME, created, 0, "")                                                                 \
    FIELD(3, TIME, modified, 0, "")                                                                \
    FIELD(4, TIME, deleted, 0, "0: it is there")
SCHEMA_DECLARE(federation_record, FEDERATION_RECORD);

#define TRES_RECORD(FIELD, LIST, PART)                                                             \
    FIELD(1, STR, name, FIELD_REQUIRED, "type, or type/name: mem, gres/gpu:a100, license/x")       \
    FIELD(2, U32, id, 0, "as in Slurm: cpu 1 to pages 8, others from 1001")
SCHEMA_DECLARE(tres_record, TRES_RECORD);

#define ACCOUNT_RECORD(FIELD, LIST, PART)                                                          \
    FIELD(1, STR, name, FIELD_REQUIRED, "in small letters")                                        \
    FIELD(2, TIME, created, 0, "")                                                                 \
    FIELD(3, TIME, modified, 0, "")                                                                \
    FIELD(4, TIME, deleted, 0, "0: it is there")                                                   \
    FIELD(5, STR, description, 0, "Description")                                                   \
    FIELD(6, STR, organization, 0, "Organization")                                                 \
    FIELD(7, STRS, coordinators, 0, "users who may change the account and those below it")         \
    FIELD(8, U32, flags, 0, "bits of enum account_flag")
SCHEMA_DECLARE(account_record, ACCOUNT_RECORD);

#define USER_RECORD(FIELD, LIST, PART)                                                             \
    FIELD(1, STR, name, FIELD_REQUIRED, "of a user of the system, in small letters")               \
    FIELD(2, TIME, created, 0, "")                                                                 \
    FIELD(3, TIME, modified, 0, "")                                                                \
    FIELD(4, TIME, deleted, 0, "0: it is there")                                                   \
    FIELD(5, ENUM, admin_level, 0, "enum admin_level")
SCHEMA_DECLARE(user_record, USER_RECORD);

/* An account on a cluster, or a user in it, there or in one partition. The tree of accounts of a
 * cluster is that of its associations without users. */
#define ASSOC_RECORD(FIELD, LIST, PART)                                                            \
    FIELD(1, STR, key, 0, "acct_assoc_key of the next four: the controller makes it")              \
    FIELD(2, STR, cluster, FIELD_REQUIRED, "")                                                     \
    FIELD(3, STR, account, FIELD_REQUIRED, "")                                                     \
    FIELD(4, STR, user, 0, "absent: the account itself")                                           \
    FIELD(5, STR, partition, 0, "absent: all")                                                     \
    FIELD(6, U32, id, 0, "the controller gives it")                                                \
    FIELD(7, STR, parent, 0, "of an account: the account above it; absent: it is the root")        \
    FIELD(8, TIME, created, 0, "")                                                                 \
    FIELD(9, TIME, modified, 0, "")                                                                \
    FIELD(10, TIME, deleted, 0, "0: it is there")                                                  \
    FIELD(11, BOOL, is_default, 0, "of a user: his DefaultAccount on the cluster")                 \
    FIELD(12, COUNT, shares, 0, "Fairshare; absent: SHARES_DEFAULT; or SHARES_PARENT")             \
    FIELD(13, COUNT, priority, 0, "Priority")                                                      \
    FIELD(14, STRS, qos, 0, "QOS of its own, or with + and - how they differ from those above")    \
    FIELD(15, STR, default_qos, 0, "DefaultQOS")                                                   \
    FIELD(16, STR, comment, 0, "Comment")                                                          \
    FIELD(18, U32, usage_resets, 0, "RawUsage=0: how often what was used was forgotten")           \
    FIELD(17, I64, added_ms, 0, "cluster time of the request that put it there; orders the tree")  \
    ACCT_LIMITS(FIELD, LIST)                                                                       \
    FIELD(60, COUNT, max_jobs, 0, "MaxJobs: running at one time, each user")                       \
    FIELD(61, COUNT, max_jobs_accrue, 0, "MaxJobsAccrue")                                          \
    FIELD(62, COUNT, max_submit_jobs, 0, "MaxSubmitJobs")
SCHEMA_DECLARE(assoc_record, ASSOC_RECORD);

#define QOS_RECORD(FIELD, LIST, PART)                                                              \
    FIELD(1, STR, name, FIELD_REQUIRED, "in small letters")                                        \
    FIELD(2, U32, id, 0, "the controller gives it; normal is 1")                                   \
    FIELD(3, TIME, created, 0, "")                                                                 \
    FIELD(4, TIME, modified, 0, "")                                                                \
    FIELD(5, TIME, deleted, 0, "0: it is there")                                                   \
    FIELD(6, STR, description, 0, "Description")                                                   \
    FIELD(7, U32, priority, 0, "Priority")                                                         \
    FIELD(8, U32, flags, 0, "bits of enum qos_flag")                                               \
    FIELD(9, COUNT, grace_time, 0, "GraceTime: seconds")                                           \
    FIELD(10, STRS, preempt, 0, "Preempt: QOS whose jobs it may end")                              \
    FIELD(11, ENUM, preempt_mode, 0, "enum qos_preempt_mode")                                      \
    FIELD(12, COUNT, preempt_exempt_time, 0, "PreemptExemptTime: seconds")                         \
    FIELD(13, I64, usage_factor_above_1, 0, "UsageFactor less 1, in millionths")                   \
    FIELD(14, COUNT, usage_threshold, 0, "UsageThreshold, in millionths")                          \
    FIELD(15, COUNT, limit_factor, 0, "LimitFactor, in millionths")                                \
    FIELD(16, U32, usage_resets, 0, "RawUsage=0: how often what was used was forgotten")           \
    FIELD(17, STRS, reset_on, 0, "the clusters that the last time was meant for; none: all")       \
    ACCT_LIMITS(FIELD, LIST)                                                                       \
    FIELD(60, COUNT, max_jobs_per_user, 0, "MaxJobsPerUser")                                       \
    FIELD(61, COUNT, max_jobs_per_account, 0, "MaxJobsPerAccount")                                 \
    FIELD(62, COUNT, max_jobs_accrue_per_user, 0, "MaxJobsAccruePerUser")                          \
    FIELD(63, COUNT, max_jobs_accrue_per_account, 0, "MaxJobsAccruePerAccount")                    \
    FIELD(64, COUNT, max_submit_per_user, 0, "MaxSubmitJobsPerUser")                               \
    FIELD(65, COUNT, max_submit_per_account, 0, "MaxSubmitJobsPerAccount")                         \
    LIST(66, acct_amount, max_tres_per_user, 0, "MaxTRESPerUser")                                  \
    LIST(67, acct_amount, max_tres_per_account, 0, "MaxTRESPerAccount")                            \
    LIST(68, acct_amount, max_tres_run_mins_per_user, 0, "MaxTRESRunMinsPerUser")                  \
    LIST(69, acct_amount, max_tres_run_mins_per_account, 0, "MaxTRESRunMinsPerAccount")            \
    LIST(70, acct_amount, min_tres_per_job, 0, "MinTRESPerJob")
SCHEMA_DECLARE(qos_record, QOS_RECORD);

#define WCKEY_RECORD(FIELD, LIST, PART)                                                            \
    FIELD(1, STR, key, 0, "acct_wckey_key of the next three: the controller makes it")             \
    FIELD(2, STR, cluster, FIELD_REQUIRED, "")                                                     \
    FIELD(3, STR, user, FIELD_REQUIRED, "")                                                        \
    FIELD(4, STR, name, 0, "WCKey; absent: the empty one")                                         \
    FIELD(5, U32, id, 0, "the controller gives it")                                                \
    FIELD(6, TIME, created, 0, "")                                                                 \
    FIELD(7, TIME, modified, 0, "")                                                                \
    FIELD(8, TIME, deleted, 0, "0: it is there")                                                   \
    FIELD(9, BOOL, is_default, 0, "the user's DefaultWCKey on the cluster")
SCHEMA_DECLARE(wckey_record, WCKEY_RECORD);

/* What a cluster may have of a resource. */
#define RESOURCE_SHARE(FIELD, LIST, PART)                                                          \
    FIELD(1, STR, cluster, FIELD_REQUIRED, "")                                                     \
    FIELD(2, U32, allowed, 0, "Allowed: percent of the count, or with RESOURCE_ABSOLUTE a number")
SCHEMA_DECLARE(resource_share, RESOURCE_SHARE);

#define RESOURCE_ABSOLUTE 1 /* a flag: shares are numbers */

/* Licenses that clusters share: each has its part as the license name@server. */
#define RESOURCE_RECORD(FIELD, LIST, PART)                                                         \
    FIELD(1, STR, key, 0, "name@server: the controller makes it")                                  \
    FIELD(2, STR, name, FIELD_REQUIRED, "Name")                                                    \
    FIELD(3, STR, server, FIELD_REQUIRED, "Server")                                                \
    FIELD(4, TIME, created, 0, "")                                                                 \
    FIELD(5, TIME, modified, 0, "")                                                                \
    FIELD(6, TIME, deleted, 0, "0: it is there")                                                   \
    FIELD(7, STR, description, 0, "Description")                                                   \
    FIELD(8, STR, server_type, 0, "ServerType")                                                    \
    FIELD(9, U32, count, 0, "Count")                                                               \
    FIELD(10, U32, flags, 0, "RESOURCE_ABSOLUTE")                                                  \
    FIELD(11, U32, last_consumed, 0, "LastConsumed")                                               \
    LIST(12, resource_share, shares, 0, "of clusters")
SCHEMA_DECLARE(resource_record, RESOURCE_RECORD);

/* What an association or a QOS has used by jobs that hold nothing any more, as of one moment. */
#define USAGE_RECORD(FIELD, LIST, PART)                                                            \
    FIELD(1, STR, key, FIELD_REQUIRED, "acct_usage_key of what it is about")                       \
    FIELD(2, I64, at_ms, 0, "cluster time to which the amounts are decayed")                       \
    LIST(3, acct_amount, used, 0, "in thousandths of a TRES second")                               \
    FIELD(4, U64, wall_ms, 0, "run time of jobs, each with its QOS' UsageFactor")
SCHEMA_DECLARE(usage_record, USAGE_RECORD);

/* The longest name of any of them, in bytes. */
#define ACCT_NAME_MAX 250

/* Return the keys by which associations and wckeys are told apart, to be freed; user, partition and
 * name may be NULL. */
char *acct_assoc_key(const char *cluster, const char *account, const char *user,
                     const char *partition);
char *acct_wckey_key(const char *cluster, const char *user, const char *name);

/* Returns the key of a usage record, to be freed: of an association, by its key, or of a QOS. */
char *acct_usage_key(const char *assoc_key, const char *qos);

/* Appends the way from the root to an association, as "/physics/optics/0-alice/": `accounts` are
 * those on it, the nearest first, without the root; user and partition may be NULL. */
void acct_add_lineage(const char *const *accounts, uint32_t n, const char *user,
                      const char *partition, struct strbuf *out);

/* Fails unless the text may be a name of a record: printable ASCII without commas, equals signs,
 * quotes and slashes; it neither begins with a sign nor has a blank at an end. `what` is what the
 * error calls it. */
int acct_name_check(const char *what, const char *name, struct err *err);

/* Returns Slurm's word of a level ("Operator"), and the level that a word means (also cut short),
 * or -1. */
const char *admin_level_name(uint32_t level);
int admin_level_find(const char *word);

/* Returns the flag of a QOS that the word means; 0: there is none. */
uint32_t qos_flag_find(const char *word);
/* Returns whether the name of a QOS in a list says how the list differs from another one: "+night".
 */
bool qos_has_sign(const char *name);

/* Appends the words of all flags, in the order in which Slurm shows them. */
void qos_flags_format(uint32_t flags, struct strbuf *out);

/* Returns Slurm's word of a mode ("requeue"), and the mode that a text means, or -1. "off" is the
 * cluster's mode, as in Slurm. */
const char *qos_preempt_mode_name(uint32_t mode);
int qos_preempt_mode_find(const char *text);
