/*
 * layout.h - which columns sacct and sstat print and how: NAME, NAME%20, NAME%-20. Pure.
 */
#pragma once

#include "cli/sacct/columns.h"
#include "common/text/words.h"

enum acct_style {
    ACCT_COLUMNS,   /* aligned, cut with '+' where too long */
    ACCT_PARSABLE,  /* each field followed by the delimiter */
    ACCT_PARSABLE2, /* fields divided by the delimiter */
};

/* Columns to choose from; the last of them are not in the list of names. */
struct acct_choice {
    const struct report_table *table;
    uint32_t unlisted;
};

extern const struct acct_choice acct_choice; /* of sacct */

/*
 * Makes a format of `fields`, overwriting `ret_format`. A name may be cut short; ALL is every
 * column. Fails with E_SYNTAX, naming what is no column.
 */
int acct_layout(const struct acct_choice *choice, const struct words *fields, enum acct_style style,
                const char *delimiter, struct report_format *ret_format, struct err *err);

/* Appends the header and, where columns are aligned, the line below it. */
void acct_header(struct report_format *format, enum acct_style style, struct strbuf *out);

/* Appends the names of all columns, four to a line, each of this width. */
#define ACCT_NAMES_WIDTH 19
void acct_names(const struct acct_choice *choice, uint32_t width, struct strbuf *out);
