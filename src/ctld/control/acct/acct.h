/*
 * acct.h - accounts, users, associations, QOS: what may be asked of their records, and what the
 * controller makes by itself.
 *
 * The records are kept ones (common/msg/acct.h); requests that change them come by KEPT_CHANGE, in
 * one list what belongs together. One that is deleted stays with the time of that: to delete is to
 * set `deleted`, to add again is to set it to 0. What is found here passes over deleted records.
 */
#pragma once

#include "common/msg/acct.h"
#include "ctld/control/act/kept.h"

extern const struct kept_rules cluster_rules, tres_rules, account_rules, user_rules, assoc_rules,
    qos_rules, wckey_rules, usage_rules, resource_rules, federation_rules;

/* Makes what has to be there and is not: this cluster, its root account and user, the QOS "normal",
 * the TRES that are counted. */
void acct_begin(struct act *act);

/* Makes account and user root and their associations on a cluster, or brings them back. */
void acct_begin_root_of(struct act *act, const char *cluster);

/* Makes a TRES of that name, unless there is one. */
void acct_begin_tres(struct act *act, const char *name);

/* Return the record, borrowed, or NULL: there is none, or it is deleted. */
const struct account_record *acct_find_account(struct control *control, const char *name);
const struct user_record *acct_find_user(struct control *control, const char *name);
const struct qos_record *acct_find_qos(struct control *control, const char *name);
const struct cluster_record *acct_find_cluster(struct control *control, const char *name);
/* `user` NULL: the account's own; `partition` NULL: that of no partition. */
const struct assoc_record *acct_find_assoc(struct control *control, const char *cluster,
                                           const char *account, const char *user,
                                           const char *partition);

/* Returns an association that is there and has those of the two that are not NULL, or NULL. */
const struct assoc_record *acct_any_assoc(struct control *control, const char *cluster,
                                          const char *account);

/* Returns whether the user is in the account on the cluster; NULL: in any, on any. Costs no more
 * than there are associations of that user. */
bool acct_user_is_in(struct control *control, const char *cluster, const char *account,
                     const char *user);

/* ---- rights (rights.c) ---- */

/* Returns what a user may who is not root and not SlurmUser, by his AdminLevel; NULL: he has no
 * name. */
enum caller_level acct_level(struct control *control, const char *user);

/* Returns whether the caller may give others an AdminLevel, or take it from them. */
bool acct_gives_level(const struct caller *caller, uint32_t level);

/* Returns whether the caller is a coordinator of the account, or of one above it on the cluster;
 * NULL: on any. */
bool acct_coordinates(struct control *control, const struct caller *caller, const char *cluster,
                      const char *account);

/* Returns whether the caller may alter the job, which includes to end it: it is his, he is an
 * operator, or a coordinator of the account that it runs under. To run something in it, or to read
 * what it does, is more than that. */
bool acct_may_alter_job(const struct control *control, const struct caller *caller,
                        const struct job_record *job);

/* Returns whether the caller is shown what a user has used in an account; `user` NULL: what all
 * have, `account` NULL: what he has in any. With PrivateData=usage users see themselves,
 * coordinators what is in their accounts. */
bool acct_sees_usage(struct control *control, const struct caller *caller, const char *cluster,
                     const char *account, const char *user);

/* Returns whether the caller is shown a job of a cluster, which may be over, with what is of it:
 * with PrivateData=jobs users see their own, coordinators those under their accounts. */
bool acct_sees_job(const struct control *control, const struct caller *caller, const char *cluster,
                   const struct job_record *job);

/* Refuses users who ask for jobs of a longer time than MaxQueryTimeRange. `from` 0: they said none.
 */
int acct_check_range(const struct control *control, const struct caller *caller, int64_t from,
                     int64_t until, struct err *err);

/* Returns whether there are jobs that the caller is shown because of their account alone. */
bool acct_sees_jobs_of_others(const struct control *control, const struct caller *caller);

/* Returns whether the caller is shown what was done to records of accounts, by others. It names
 * accounts and users. */
bool acct_sees_changes(const struct control *control, const struct caller *caller);

/* Returns whether the caller is a coordinator of any account. */
bool acct_coordinates_any(struct control *control, const struct caller *caller);
