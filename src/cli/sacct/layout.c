#include "cli/sacct/layout.h"

#include <string.h>
#include <strings.h>

#define PER_LINE 4

const struct acct_choice acct_choice = { &acct_table, ACCT_UNLISTED };

/* Returns the column with the whole name, or else the first that begins so. */
static const struct report_column *find(const struct report_table *table, const char *name,
                                        size_t n)
{
    AUTO_FREE char *whole = xstrndup(name, n);
    const struct report_column *column = report_find_name(table, whole);

    for (uint32_t i = 0; !column && n && i < table->columns_n; i++) {
        if (strncasecmp(table->columns[i].name, name, n) == 0)
            column = &table->columns[i];
    }
    return column;
}

static bool is_left(const struct report_column *column)
{
    return strncmp(column->name, "JobID", 5) == 0 || strcmp(column->name, "DBIndex") == 0;
}

/*
 * Reads "%20" or "%-20"; "%0" is a column without any room. A size that is no number is 0, as in
 * Slurm.
 */
static int add_aligned(struct report_format *format, const struct report_column *column,
                       const char *size, struct err *err)
{
    long width = size ? strtol(size, NULL, 10) : (long)column->width;
    bool right = size ? width > 0 : !is_left(column);

    if (width < 0)
        width = -width;
    if (width > REPORT_WIDTH_MAX)
        return err_set(err, E_SYNTAX, "Invalid width '%.20s' of field %s: more than %d", size,
                       column->name, REPORT_WIDTH_MAX);
    return report_format_add(format, width ? column : NULL, (uint32_t)width, right, " ", err);
}

static int add_field(struct report_format *format, const char *field, enum acct_style style,
                     const char *delimiter, struct err *err)
{
    size_t n = strcspn(field, "%");
    const struct report_column *column = find(format->table, field, n);

    if (!column)
        return err_set(err, E_SYNTAX, "Invalid field requested: \"%.*s\"", (int)(n > 100 ? 100 : n),
                       field);
    if (style != ACCT_COLUMNS)
        return report_format_add(format, column, 0, false, delimiter, err);
    return add_aligned(format, column, field[n] ? field + n + 1 : NULL, err);
}

static int add_all(struct report_format *format, uint32_t n, enum acct_style style,
                   const char *delimiter, struct err *err)
{
    int rc = 0;

    for (uint32_t i = 0; rc == 0 && i < n; i++)
        rc = add_field(format, format->table->columns[i].name, style, delimiter, err);
    return rc;
}

static uint32_t listed_n(const struct acct_choice *choice)
{
    return choice->table->columns_n - choice->unlisted;
}

int acct_layout(const struct acct_choice *choice, const struct words *fields, enum acct_style style,
                const char *delimiter, struct report_format *ret_format, struct err *err)
{
    int rc = 0;

    report_format_init(ret_format, choice->table);
    ret_format->overflow = '+';
    for (uint32_t i = 0; rc == 0 && i < fields->n; i++) {
        if (word_is(fields->at[i], "ALL"))
            rc = add_all(ret_format, listed_n(choice), style, delimiter, err);
        else
            rc = add_field(ret_format, fields->at[i], style, delimiter, err);
    }
    if (rc == 0 && style == ACCT_PARSABLE2 && ret_format->cells_n)
        xstrset(&ret_format->cells[ret_format->cells_n - 1].suffix, NULL);
    if (rc < 0)
        report_format_clear(ret_format);
    return rc;
}

/* A title that is too long is cut without a mark, a value with one. */
void acct_header(struct report_format *format, enum acct_style style, struct strbuf *out)
{
    format->overflow = '\0';
    report_header(format, out);
    format->overflow = '+';
    if (style == ACCT_COLUMNS)
        report_rule(format, '-', out);
}

void acct_names(const struct acct_choice *choice, uint32_t width, struct strbuf *out)
{
    uint32_t n = listed_n(choice);

    for (uint32_t i = 0; i < n; i++) {
        if (i)
            strbuf_addc(out, i % PER_LINE ? ' ' : '\n');
        strbuf_addf(out, "%-*s", (int)width, choice->table->columns[i].name);
    }
    strbuf_addc(out, '\n');
}
