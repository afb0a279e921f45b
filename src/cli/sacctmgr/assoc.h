/*
 * assoc.h - the values of a line that associations get: limits, Fairshare, QOS, Priority.
 */
#pragma once

#include "cli/sacctmgr/limits.h"
#include "cli/sacctmgr/sacctmgr.h"

/*
 * Sets in the record what the word says. Returns 1, 0 if the word is about something else, or
 * -EINVAL after an error that names the word's value.
 */
int assoc_apply(const struct book *book, const struct acct_word *word, struct assoc_record *record,
                struct err *err);

/* What a line says of associations: the words, borrowed from it, and what they come to. */
struct assoc_values {
    struct acct_words words;
    struct assoc_record record;
};

void assoc_values_init(struct assoc_values *values);
void assoc_values_clear(struct assoc_values *values);

/* Takes the word. Returns 1; 0 if it is about something else, or after an error about its value:
 * then the caller says that the word is none that he knows; -1 if all has been said. */
int assoc_values_take(struct mgr *mgr, const struct book *book, const struct acct_word *word,
                      struct assoc_values *values);

/* Applies all of the words, which have been applied to another record before. */
void assoc_apply_all(const struct book *book, const struct acct_words *words,
                     struct assoc_record *record);

/* Applies what a line says of associations to one of them: RawUsage=0 of a line that names no
 * cluster is meant for this one. */
void assoc_values_apply(const struct book *book, const struct assoc_values *values,
                        bool names_cluster, struct assoc_record *record);

/* Says so, where the line has RawUsage=0. */
void assoc_say_reset(const struct book *book, const struct assoc_values *values,
                     bool names_cluster);

/* Appends a line for each value that is set in the record: "  Fairshare     = 12". */
void assoc_show(const struct book *book, const struct assoc_record *record, struct strbuf *out);

/* Returns a record that holds nothing but whose it is, to be cleared. */
struct assoc_record assoc_of(const char *cluster, const char *account, const char *user,
                             const char *partition);
