/*
 * assoc.h - the values of a line that associations get: limits, Fairshare, QOS, Priority.
 */
#pragma once

#include "cli/sacctmgr/limits.h"

/*
 * Sets in the record what the word says. Returns 1, 0 if the word is about something else, or
 * -EINVAL after an error that names the word's value.
 */
int assoc_apply(const struct book *book, const struct acct_word *word, struct assoc_record *record,
                struct err *err);

/* Applies all of the words, which have been applied to another record before. */
void assoc_apply_all(const struct book *book, const struct acct_words *words,
                     struct assoc_record *record);

/* Appends a line for each value that is set in the record: "  Fairshare     = 12". */
void assoc_show(const struct book *book, const struct assoc_record *record, struct strbuf *out);

/* Returns a record that holds nothing but whose it is, to be cleared. */
struct assoc_record assoc_of(const char *cluster, const char *account, const char *user,
                             const char *partition);
