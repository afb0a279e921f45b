#include "cli/sreport/print.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "common/text/timetext.h"

#define RULE_WIDTH 80
#define TREE_WIDTH 20

void rows_clear(struct rows *rows)
{
    for (uint32_t i = 0; i < rows->n; i++)
        free(rows->at[i].proper);
    free(rows->at);
    *rows = (struct rows){ 0 };
}

/* ---- columns ---- */

#define TEXT(member)                                                                               \
    void print_##member(const struct report_context *ctx, const void *row, struct strbuf *out)     \
    {                                                                                              \
        const char *text = ((const struct row *)row)->member;                                      \
                                                                                                   \
        (void)ctx;                                                                                 \
        strbuf_adds(out, text ? text : "");                                                        \
    }

TEXT(cluster)
TEXT(user)
TEXT(proper)
TEXT(wckey)
TEXT(tres)

void print_account(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    const struct row *line = row;

    (void)ctx;
    for (uint32_t i = 0; i < line->depth; i++)
        strbuf_addc(out, ' ');
    strbuf_adds(out, line->account ? line->account : "");
}

void print_ROW_COUNT(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    strbuf_addu(out, ((const struct row *)row)->values[ROW_COUNT]);
}

#define AMOUNT(value)                                                                              \
    void print_##value(const struct report_context *ctx, const void *row, struct strbuf *out)      \
    {                                                                                              \
        const struct row *line = row;                                                              \
                                                                                                   \
        unit_format(*(const enum unit *)ctx->user, line->values[value],                            \
                    value == ROW_ENERGY ? 0 : line->whole, out);                                   \
    }

AMOUNT(ROW_USED)
AMOUNT(ROW_ENERGY)
AMOUNT(ROW_ALLOCATED)
AMOUNT(ROW_DOWN)
AMOUNT(ROW_PLANNED_DOWN)
AMOUNT(ROW_IDLE)
AMOUNT(ROW_PLANNED)
AMOUNT(ROW_OVER)
AMOUNT(ROW_REPORTED)

/* ---- the format ---- */

enum acct_style print_style(const struct sreport *sreport)
{
    if (sreport->parsable2)
        return ACCT_PARSABLE2;
    return sreport->parsable ? ACCT_PARSABLE : ACCT_COLUMNS;
}

static const struct report_column *find_column(const struct report_table *table, const char *field,
                                               size_t n)
{
    for (uint32_t i = 0; i < table->columns_n; i++) {
        const struct report_column *column = &table->columns[i];
        const size_t least = PRINT_LEAST(column->mark);

        if (n <= strlen(column->name) &&
            strncasecmp(column->name, field, n > least ? n : least) == 0)
            return column;
    }
    return NULL;
}

/* Writes out the names that are cut short, and says which field is none. */
static void complete(struct sreport *sreport, const struct print *print, struct words *ret)
{
    for (uint32_t i = 0; i < print->fields->n; i++) {
        const char *field = print->fields->at[i];
        const size_t n = strcspn(field, "%");
        const struct report_column *column = find_column(print->columns, field, n);

        /* A width that is none or 0 is the usual one. */
        if (column)
            *ARRAY_PUSH(ret->at, ret->n) = xasprintf(
                "%s%s", column->name, field[n] && strtol(field + n + 1, NULL, 10) ? field + n : "");
        else
            sreport_refuse(sreport, " Unknown field '%.*s'", (int)n, field);
    }
}

/* Puts the accounts of a tree to the left, with room to grow to the right. */
static void set_widths(const struct sreport *sreport, const struct print *print,
                       const struct words *fields, struct report_format *format)
{
    for (uint32_t i = 0; i < format->cells_n && i < fields->n; i++) {
        struct report_cell *cell = &format->cells[i];

        if (!cell->column || strchr(fields->at[i], '%'))
            continue;
        if (PRINT_VALUE(cell->column->mark) > ROW_COUNT)
            cell->width = unit_width(sreport->unit, cell->width, 0);
        if (print->has_tree && cell->column->make == print_account) {
            cell->width = TREE_WIDTH;
            cell->right = false;
        }
    }
}

void print_layout(struct sreport *sreport, const struct print *print, enum acct_style style,
                  struct report_format *ret)
{
    const struct acct_choice choice = { print->columns, 0 };
    AUTO(words) struct words fields = { 0 };
    struct err err = { 0 };

    report_format_init(ret, print->columns);
    complete(sreport, print, &fields);
    if (acct_layout(&choice, &fields, style, "|", ret, &err) < 0) {
        sreport_refuse(sreport, "%s", err.text);
        report_format_init(ret, print->columns);
    } else if (style == ACCT_COLUMNS)
        set_widths(sreport, print, &fields, ret);
}

static uint32_t digits_of(uint64_t number)
{
    uint32_t digits = 1;

    for (; number >= 10; number /= 10)
        digits++;
    return digits;
}

/* Widens columns of amounts for the longest one that their rows have as seconds, as Slurm does. */
static void widen(const struct sreport *sreport, const struct rows *rows,
                  struct report_format *format)
{
    for (uint32_t i = 0; i < format->cells_n; i++) {
        struct report_cell *cell = &format->cells[i];
        const uint32_t value = cell->column ? PRINT_VALUE(cell->column->mark) : ROW_COUNT;
        uint32_t digits = 0, width;

        for (uint32_t k = 0; value > ROW_COUNT && k < rows->n; k++) {
            const uint32_t n = digits_of(rows->at[k].values[value]);

            digits = n > digits ? n : digits;
        }
        width = unit_width(sreport->unit, 0, digits);
        if (value > ROW_COUNT && width > cell->width)
            cell->width = width;
    }
}

/* ---- the text ---- */

void print_times(const struct ask *ask, bool seconds, struct strbuf *out)
{
    time_format(out, ask->start, NULL, ask->start, "Unknown");
    strbuf_adds(out, " - ");
    time_format(out, ask->end - 1, NULL, ask->end, "");
    if (seconds)
        strbuf_addf(out, " (%lld secs)", (long long)(ask->end - ask->start));
}

void print_title(const struct sreport *sreport, const char *title, const char *what)
{
    AUTO(strbuf) struct strbuf rule = { 0 };

    if (sreport->no_header)
        return;
    for (int i = 0; i < RULE_WIDTH; i++)
        strbuf_addc(&rule, '-');
    printf("%s\n%s\n%s\n%s\n", strbuf_text(&rule), title, what, strbuf_text(&rule));
}

int print_rows(struct sreport *sreport, const struct print *print, const struct rows *rows)
{
    const struct report_context ctx = { .user = &sreport->unit };
    const enum acct_style style = print_style(sreport);
    AUTO(report_format) struct report_format format;
    AUTO(strbuf) struct strbuf text = { 0 };

    if (print->title_first)
        print_title(sreport, print->title, print->what);
    print_layout(sreport, print, style, &format);
    if (print->widens && style == ACCT_COLUMNS)
        widen(sreport, rows, &format);
    if (!print->title_first)
        print_title(sreport, print->title, print->what);
    if (!sreport->no_header)
        acct_header(&format, style, &text);
    for (uint32_t i = 0; i < rows->n; i++)
        report_line(&format, &ctx, &rows->at[i], &text);
    fwrite(strbuf_text(&text), 1, text.len, stdout);
    return fflush(stdout) == 0 ? 0 : 1;
}
