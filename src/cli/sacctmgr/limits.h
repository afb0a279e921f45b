/*
 * limits.h - the limits of associations and QOS as sacctmgr writes and reads them: a table of names
 * over members of the two records.
 */
#pragma once

#include "cli/sacctmgr/book.h"
#include "cli/sacctmgr/words.h"

/* Which record: a bit for each kind of it that has the limit. */
enum limit_of { LIMIT_OF_ASSOC = 1, LIMIT_OF_QOS = 2 };

struct limit_row {
    const char *name;   /* "GrpTRES" */
    uint32_t least;     /* letters that are enough */
    uint32_t of;        /* enum limit_of */
    const char *assoc;  /* its member in assoc_record, or NULL */
    const char *qos;    /* in qos_record */
    bool is_time;       /* of a count: minutes, written as a duration */
    const char *single; /* an old name for the amount of this TRES alone: GrpCPUs; or NULL */
    const char *shown;  /* "Settings" call it so; NULL: by its name; "": this is a second name */
};

/* Returns the row that the word stands for, or NULL. */
const struct limit_row *limit_find(const char *word, enum limit_of of);

/* Sets the limit in an association or QOS; -1 takes it away. Fails with EINVAL; an error that
 * begins with a blank is a line of its own. */
int limit_set(const struct book *book, const struct limit_row *row, enum limit_of of,
              const struct acct_word *word, void *record, struct err *err);

/* Reads RawUsage=0, which lets the controller forget what was used; no other value can be set. */
int acct_forget_usage(const char *value, uint32_t *resets, struct err *err);

/* Returns whether the record has a limit that is set, and that `was` (NULL: nothing) has not so. */
bool limits_are_new(enum limit_of of, const void *was, const void *record);

/* Returns whether the limit is a list of amounts. */
bool limit_is_list(const struct limit_row *row, enum limit_of of);

/* Returns whether a value takes a limit away: any number below zero does. */
bool limit_is_cleared(const char *value);

/* Appends the value of a member, minutes as a duration. Returns false if the limit is not set. */
bool limit_format(const struct book *book, const struct schema_field *field, bool is_time,
                  const void *record, struct strbuf *out);

/* Appends "  GrpTRES       = cpu=10,mem=20G" and a line break for each limit that is set. */
void limits_show(const struct book *book, enum limit_of of, const void *record, struct strbuf *out);

/* Compares names as they stand before "=", so that a type of gres comes before all of that gres, as
 * in Slurm. */
int tres_names_compare(const char *a, const char *b);

/* Appends a list of amounts: "cpu=10,mem=20G", in the order of names; with `raw` the numbers
 * themselves and amounts without units. */
void amounts_format(const struct book *book, const struct acct_amount *amounts, uint32_t n,
                    bool raw, struct strbuf *out);

/* Reads a list of amounts into *amounts, where it replaces those of the same TRES. */
int amounts_parse(const struct book *book, const char *text, struct acct_amount **amounts,
                  uint32_t *n, struct err *err);
