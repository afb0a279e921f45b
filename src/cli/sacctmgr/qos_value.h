/*
 * qos_value.h - the values of a line that a QOS gets: Priority, Flags, Preempt, limits.
 */
#pragma once

#include "cli/sacctmgr/limits.h"

/*
 * Sets in the record what the word says. Returns 1, 0 if the word is about something else, or
 * -EINVAL after an error that names the value; one that begins with a blank is a line of its own.
 */
int qos_apply(const struct book *book, const struct acct_word *word, struct qos_record *record,
              struct err *err);

/* Applies all of the words, which have been applied to another record before. */
void qos_apply_all(const struct book *book, const struct acct_words *words,
                   struct qos_record *record);

/* Appends a line for each value that is set in the record: "  Priority                 = 10". */
void qos_values_show(const struct book *book, const struct qos_record *record, struct strbuf *out);
