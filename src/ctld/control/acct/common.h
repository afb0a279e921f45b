/*
 * common.h - what the rules of all kinds of records of accounts have in common. For this room only.
 */
#pragma once

#include "ctld/control/acct/acct.h"

/* Fails with E_ACCESS. */
int acct_refuse(struct err *err);

/* Refuses what no kind of record allows: to remove one, which would take its name from history, and
 * to add one that is deleted. */
int acct_check_change(const struct kept_rules *rules, const void *before, const void *after,
                      struct err *err);

/* The same, and whoever has not this level. */
int acct_check_by_level(struct act *act, const struct kept_rules *rules, enum caller_level level,
                        const void *before, const void *after, struct err *err);

/* Refuses names that nobody could write, or that differ only in their letters' case. */
int acct_check_name(const char *what, const char *name, struct err *err);

/* Refuses QOS that are not there. A list is either one of names, or of differences. */
int acct_check_qos_names(struct control *control, char *const *names, uint32_t n, struct err *err);

/* Refuses TRES that are not there, in all members of the record that are lists of amounts. */
int acct_check_amounts(struct control *control, const struct schema *schema, const void *record,
                       struct err *err);

/* Returns whether two records of one schema differ in nothing but this member. */
bool acct_only_differs(const struct schema *schema, const void *was, const void *now,
                       const char *member);

/* Returns whether the record, of a schema that has the member `deleted`, is a deleted one; and
 * whether a change makes it one. */
bool acct_is_deleted(const struct schema *schema, const void *record);
bool acct_deletes(const struct schema *schema, const void *before, const void *after);

/* Sets what no request sets: times, and the number that the record was given. A record that is
 * brought back begins now. */
void acct_stamp(const struct act *act, const struct kept_rules *rules, const void *before,
                void *after);

/* Notes an event: what was done to which records ("Add Users"), the record's name, and the values
 * that are not as before, of lists what has come and gone; `before` is NULL for a new one. */
void acct_tell(struct act *act, const struct schema *schema, const void *before, const void *after,
               const char *kind, const char *name);

/* Notes who has become a coordinator of the account, and who is none any more. */
void acct_tell_coordinators(struct act *act, const struct account_record *before,
                            const struct account_record *after);

/* Returns whether the caller is shown what PrivateData keeps from users with this bit. */
bool acct_sees(const struct control *control, const struct caller *caller, uint32_t private);

/* The rules' `changed` for records of one schema: all have the member `deleted`. */
#define TELLS(schema, plural, member)                                                              \
    static void schema##_changed(struct act *act, const void *before, void *after)                 \
    {                                                                                              \
        const struct schema##_record *rec = after;                                                 \
                                                                                                   \
        acct_tell(act, schema##_record_schema(), before, after, plural, rec->member);              \
    }

#define RULES(name, number, shown)                                                                 \
    const struct kept_rules name##_rules = { .kind = (number),                                     \
                                             .check = check_##name,                                \
                                             .changed = name##_changed,                            \
                                             .shows = (shown),                                     \
                                             .tells_refusal = true }
