/*
 * format.h - lines of columns, as users write them with -o and -O and as scripts read them.
 *
 * A format is a text before the first column, then columns, each with a width, a side and a text
 * that follows it. Widths count bytes: a longer value is cut, a shorter one filled with blanks.
 * Owns its texts; borrows the table. Pure.
 */
#pragma once

#include "common/report/column.h"

#define REPORT_WIDTH_MAX 32768 /* a larger width is taken as this */
#define REPORT_CELLS_MAX 512   /* in one format */

struct report_cell {
    const struct report_column *column; /* NULL: only the text after it */
    struct report_path path;
    uint32_t width; /* 0: as wide as the value */
    bool right;
    char *suffix; /* or NULL */
};

struct report_format {
    const struct report_table *table;
    char *prefix; /* or NULL */
    struct report_cell *cells;
    uint32_t cells_n;
    char overflow; /* as the last character of a cut value, 0: none; sacct has '+' */
    char **unknown;
    uint32_t unknown_n; /* what was asked for and is not in the table, for messages */
};

/*
 * Makes an empty format for rows of this table, to which cells are added one by one or by parsing a
 * text.
 */
void report_format_init(struct report_format *format, const struct report_table *table);
void report_format_clear(struct report_format *format);
void report_format_auto_(struct report_format *format);

/* Appends a column (NULL: only the suffix, which may be NULL too). Fails with E_TOO_BIG. */
int report_format_add(struct report_format *format, const struct report_column *column,
                      uint32_t width, bool right, const char *suffix, struct err *err);

/*
 * Parses the value of -o: "%[[.]size]letter" with any text between, as in "%.18i %.9P" or
 * "{\"id\":%A}". '.' puts the value on the right of its field, '-' on the left as without it. A
 * lone "%all" is every column that has a letter, divided by '|'. "%%i" is "%i". What names no
 * column stays as it was written, and is noted in `unknown`.
 */
int report_format_parse_letters(struct report_format *format, const char *text, struct err *err);

/*
 * Parses the value of -O: "Name[:[.][size][suffix]],...". Without a colon the column is 20 wide,
 * with a colon but no size as wide as the value. An unknown name is noted in `unknown` and takes no
 * room.
 */
int report_format_parse_names(struct report_format *format, const char *text, struct err *err);

/* Append one whole line each: the titles, a rule under them, and a row. */
void report_header(const struct report_format *format, struct strbuf *out);
void report_rule(const struct report_format *format, char line, struct strbuf *out);
void report_line(const struct report_format *format, const struct report_context *ctx,
                 const void *row, struct strbuf *out);
