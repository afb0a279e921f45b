/* choice.h - which records a line means, by the words that it gives. */
#pragma once

#include "cli/sacctmgr/book.h"
#include "cli/sacctmgr/sacctmgr.h"

/* Returns whether the text is one of the words, or any will do, since there are none. */
bool choice_fits(const struct words *words, const char *text);

/* Returns whether the number is one of the words, or any will do, since there are none. */
bool choice_fits_number(const struct words *words, uint32_t number);

/* Return the same of words that mean an admin level, or a preempt mode of QOS. */
bool choice_fits_level(const struct words *words, uint32_t level);
bool choice_fits_mode(const struct words *words, uint32_t mode);

/* Returns whether the user has one of the wckeys, as his default where that is asked for. */
bool choice_has_wckey(const struct words *names, const struct book *book, const char *user,
                      bool as_default);

/* Drops clusters that are not known, which is said; where none was named, all are meant. */
void choice_of_clusters(struct mgr *mgr, const struct book *book, struct words *clusters);

/* Sorts names, byte by byte. */
void choice_sort(struct words *names);

/* Fails with EINVAL, naming the QOS that there are. */
int choice_bad_qos(const struct book *book, const char *name, struct err *err);

/* Prints a line for an association whose default QOS is in the way. */
void choice_say_default_qos(const struct assoc_record *assoc);
