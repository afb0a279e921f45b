#include "common/report/format.h"

#include <ctype.h>
#include <string.h>

#include "common/text/words.h"

#define NULL_WORD   "(null)"
#define NAMES_WIDTH 20 /* of a field of -O that says nothing about its width */

void report_format_init(struct report_format *format, const struct report_table *table)
{
    memset(format, 0, sizeof(*format));
    format->table = table;
}

void report_format_clear(struct report_format *format)
{
    for (uint32_t i = 0; i < format->cells_n; i++)
        free(format->cells[i].suffix);
    for (uint32_t i = 0; i < format->unknown_n; i++)
        free(format->unknown[i]);
    free(format->cells);
    free(format->unknown);
    free(format->prefix);
    report_format_init(format, format->table);
}

void report_format_auto_(struct report_format *format)
{
    report_format_clear(format);
}

int report_format_add(struct report_format *format, const struct report_column *column,
                      uint32_t width, bool right, const char *suffix, struct err *err)
{
    struct report_cell cell = { .column = column, .width = width, .right = right };

    if (format->cells_n == REPORT_CELLS_MAX)
        return err_set(err, E_TOO_BIG, "format: more than %d fields", REPORT_CELLS_MAX);
    if (width > REPORT_WIDTH_MAX)
        cell.width = REPORT_WIDTH_MAX;
    if (column) {
        int rc = report_path_find(format->table, column, &cell.path, err);
        if (rc < 0)
            return rc;
    }
    cell.suffix = suffix && *suffix ? xstrdup(suffix) : NULL;
    *ARRAY_PUSH(format->cells, format->cells_n) = cell;
    return 0;
}

/* ---- reading ---- */

static void note_unknown(struct report_format *format, const char *text, size_t n)
{
    if (format->unknown_n < REPORT_CELLS_MAX)
        *ARRAY_PUSH(format->unknown, format->unknown_n) = xstrndup(text, n);
}

/* Reads digits and moves on; the number stays at the limit. */
static uint32_t read_width(const char **at)
{
    uint32_t width = 0;

    for (; isdigit((unsigned char)**at); (*at)++) {
        width = width * 10 + (uint32_t)(**at - '0');
        if (width > REPORT_WIDTH_MAX)
            width = REPORT_WIDTH_MAX;
    }
    return width;
}

/* Adds one part of -o. `text` is what stands between two percent signs, and never empty. */
static int add_letter(struct report_format *format, const char *text, struct err *err)
{
    const char *at = text;
    bool is_right = *at == '.';
    uint32_t width;

    if (*at == '.' || *at == '-')
        at++;
    width = read_width(&at);

    const struct report_column *column = report_find_letter(format->table, *at);

    if (column && *at != '#') /* that one is only to sort by */
        return report_format_add(format, column, width, is_right, at + 1, err);

    AUTO_FREE char *literal = xasprintf("%%%s", text);

    note_unknown(format, at, *at ? 1 : 0);
    return report_format_add(format, NULL, 0, false, literal, err);
}

static int add_all_letters(struct report_format *format, struct err *err)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    int rc = 0;

    for (const char *at = letters; *at && rc == 0; at++) {
        const struct report_column *column = report_find_letter(format->table, *at);

        if (column)
            rc = report_format_add(format, column, 0, false, "|", err);
    }
    if (format->cells_n)
        free(STEAL(format->cells[format->cells_n - 1].suffix));
    return rc;
}

int report_format_parse_letters(struct report_format *format, const char *text, struct err *err)
{
    size_t n = strcspn(text, "%");

    if (word_is(text, "%all"))
        return add_all_letters(format, err);
    free(format->prefix);
    format->prefix = n ? xstrndup(text, n) : NULL;
    text += n;
    while (*text == '%') {
        n = strcspn(++text, "%");

        AUTO_FREE char *part = xstrndup(text, n);
        int rc = n ? add_letter(format, part, err) : 0;

        if (rc < 0)
            return rc;
        text += n;
    }
    return 0;
}

/* Adds one field of -O, which is taken apart in place. */
static int add_name(struct report_format *format, char *field, struct err *err)
{
    char *colon = strchr(field, ':');
    const char *at = colon ? colon + 1 : "";
    bool is_right = *at == '.';
    uint32_t width = NAMES_WIDTH;

    if (colon) {
        *colon = '\0';
        at += is_right;
        width = read_width(&at);
    }

    const char *name = field + strspn(field, " \t");
    const struct report_column *column = report_find_name(format->table, name);

    if (column)
        return report_format_add(format, column, width, is_right, at, err);
    note_unknown(format, name, strlen(name));
    return 0;
}

int report_format_parse_names(struct report_format *format, const char *text, struct err *err)
{
    while (*text) {
        size_t n = strcspn(text, ",");
        AUTO_FREE char *field = xstrndup(text, n);
        int rc = n ? add_name(format, field, err) : 0;

        if (rc < 0)
            return rc;
        text += n + (text[n] == ',');
    }
    return 0;
}

/* ---- writing ---- */

static void add_blanks(size_t n, struct strbuf *out)
{
    memset(strbuf_reserve(out, n), ' ', n);
    strbuf_grown(out, n);
}

/* Returns whether a value on the right of its field is never cut. */
static bool keeps_whole(const struct report_column *column, const char *text)
{
    return (column->style & REPORT_WHOLE && isdigit((unsigned char)*text)) ||
           (column->style & REPORT_HOSTS && *text != '(');
}

/* Moves the end of the text, from `from` on, to the right by some blanks. */
static void push_right(size_t from, size_t blanks, struct strbuf *out)
{
    const size_t len = out->len - from;

    strbuf_reserve(out, blanks);
    memmove(out->data + from + blanks, out->data + from, len);
    memset(out->data + from, ' ', blanks);
    strbuf_grown(out, blanks);
}

/* Cuts or fills the value that begins at `from` in `out`. */
static void lay_out(const struct report_format *format, const struct report_cell *cell,
                    bool is_whole, size_t from, struct strbuf *out)
{
    const size_t len = out->len - from;

    if (cell->width > len && cell->right) {
        push_right(from, cell->width - len, out);
    } else if (cell->width > len) {
        add_blanks(cell->width - len, out);
    } else if (cell->width && cell->width < len && !is_whole) {
        const char last = out->data[out->len - 1];

        strbuf_truncate(out, from + cell->width);
        if (cell->column->style & REPORT_STAR && last == '*')
            out->data[out->len - 1] = last;
        if (format->overflow)
            out->data[out->len - 1] = format->overflow;
    }
}

void report_header(const struct report_format *format, struct strbuf *out)
{
    strbuf_adds(out, format->prefix ? format->prefix : "");
    for (uint32_t i = 0; i < format->cells_n; i++) {
        const struct report_cell *cell = &format->cells[i];

        if (cell->column) {
            const size_t from = out->len;

            strbuf_adds(out, cell->column->title);
            lay_out(format, cell, false, from, out);
        }
        strbuf_adds(out, cell->suffix ? cell->suffix : "");
    }
    strbuf_addc(out, '\n');
}

void report_rule(const struct report_format *format, char line, struct strbuf *out)
{
    for (uint32_t i = 0; i < format->cells_n; i++) {
        const struct report_cell *cell = &format->cells[i];

        memset(strbuf_reserve(out, cell->width), line, cell->width);
        strbuf_grown(out, cell->width);
        strbuf_adds(out, cell->suffix ? cell->suffix : "");
    }
    strbuf_addc(out, '\n');
}

/*
 * Returns whether nothing is shown. Slurm's printf omits "(null)" when there is no room for all of
 * it, but cuts it in fields that are filled from the left, as fields of nodes never are.
 */
static bool is_left_out(const struct report_cell *cell, const char *value)
{
    return cell->width && cell->width < strlen(NULL_WORD) &&
           (!cell->right || cell->column->style & REPORT_HOSTS) && strcmp(value, NULL_WORD) == 0;
}

static void add_value(const struct report_format *format, const struct report_cell *cell,
                      const struct report_context *ctx, const void *row, struct strbuf *out)
{
    const size_t from = out->len;

    report_value(cell->column, &cell->path, ctx, row, out);
    if (is_left_out(cell, strbuf_text(out) + from))
        strbuf_truncate(out, from);
    lay_out(format, cell, cell->right && keeps_whole(cell->column, strbuf_text(out) + from), from,
            out);
}

void report_line(const struct report_format *format, const struct report_context *ctx,
                 const void *row, struct strbuf *out)
{
    strbuf_adds(out, format->prefix ? format->prefix : "");
    for (uint32_t i = 0; i < format->cells_n; i++) {
        const struct report_cell *cell = &format->cells[i];

        if (cell->column)
            add_value(format, cell, ctx, row, out);
        strbuf_adds(out, cell->suffix ? cell->suffix : "");
    }
    strbuf_addc(out, '\n');
}
