#include "cli/import/dump.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "cli/import/dump_text.h"
#include "common/base/alloc.h"
#include "common/base/strbuf.h"

/* What the text of the file is in the middle of. */
enum dump_state {
    BETWEEN, /* statements */
    IN_ROWS, /* the rows of an INSERT */
};

struct dump {
    struct dump_text text;
    enum dump_state state;
    char *database;
    const struct dump_layout *layout; /* of the INSERT that is read */
    struct dump_layout **layouts;
    uint32_t layouts_n;
    dump_wants_fn *wants;
    void *wants_ctx;
    bool is_strict;
    bool has_row;        /* the INSERT that is read has had one */
    char delimiter[16];  /* "": statements end with a semicolon */
    struct strbuf bytes; /* of the row's values, each with a zero byte behind it */
    struct dump_cell cells[DUMP_COLUMNS_MAX];
    size_t starts[DUMP_COLUMNS_MAX];
    uint32_t cells_n;
};

/* ---- memory ---- */

struct dump *dump_new(int fd, const char *name)
{
    struct dump *dump = xcalloc(1, sizeof(*dump));

    dump_text_init(&dump->text, fd, name);
    dump->database = xstrdup("");
    return dump;
}

struct dump *dump_fork(const struct dump *dump)
{
    struct dump *fork = dump_new(dump->text.fd, dump->text.name);

    for (uint32_t i = 0; i < dump->layouts_n; i++) {
        const struct dump_layout *from = dump->layouts[i];
        struct dump_layout *layout = xcalloc(1, sizeof(*layout));

        layout->database = xstrdup(from->database);
        layout->table = xstrdup(from->table);
        for (uint32_t k = 0; k < from->columns_n; k++)
            *ARRAY_PUSH(layout->columns, layout->columns_n) = xstrdup(from->columns[k]);
        *ARRAY_PUSH(fork->layouts, fork->layouts_n) = layout;
    }
    return fork;
}

static void layout_free(struct dump_layout *layout)
{
    for (uint32_t i = 0; i < layout->columns_n; i++)
        free(layout->columns[i]);
    free(layout->columns);
    free(layout->database);
    free(layout->table);
    free(layout);
}

struct dump *dump_free(struct dump *dump)
{
    if (!dump)
        return NULL;
    for (uint32_t i = 0; i < dump->layouts_n; i++)
        layout_free(dump->layouts[i]);
    free(dump->layouts);
    free(dump->database);
    strbuf_clear(&dump->bytes);
    dump_text_clear(&dump->text);
    free(dump);
    return NULL;
}

void dump_be_strict(struct dump *dump)
{
    dump->is_strict = true;
}

void dump_filter(struct dump *dump, dump_wants_fn *wants, void *ctx)
{
    dump->wants = wants;
    dump->wants_ctx = ctx;
}

uint32_t dump_layouts_n(const struct dump *dump)
{
    return dump->layouts_n;
}

const struct dump_layout *dump_layout_at(const struct dump *dump, uint32_t i)
{
    return dump->layouts[i];
}

const char *dump_name(const struct dump *dump)
{
    return dump->text.name;
}

uint64_t dump_offset(const struct dump *dump)
{
    return dump_text_offset(&dump->text);
}

int dump_fail(const struct dump *dump, const struct dump_place *place, struct err *err, int code,
              const char *format, ...)
{
    AUTO(strbuf) struct strbuf what = { 0 };
    va_list args;

    va_start(args, format);
    strbuf_vaddf(&what, format, args);
    va_end(args);
    return err_set(err, code, "%s, line %llu: %s", dump->text.name, (unsigned long long)place->line,
                   strbuf_text(&what));
}

/* ---- layouts ---- */

static bool is_layout(const struct dump_layout *a, const struct dump_layout *b)
{
    if (strcmp(a->table, b->table) != 0 || strcmp(a->database, b->database) != 0 ||
        a->columns_n != b->columns_n)
        return false;
    for (uint32_t i = 0; i < a->columns_n; i++) {
        if (strcmp(a->columns[i], b->columns[i]) != 0)
            return false;
    }
    return true;
}

/* Returns the layout that is the same as this one, which is taken over; NULL: there are too many.
 */
static const struct dump_layout *keep_layout(struct dump *dump, struct dump_layout *layout)
{
    for (uint32_t i = dump->layouts_n; i > 0; i--) {
        if (is_layout(dump->layouts[i - 1], layout)) {
            layout_free(layout);
            return dump->layouts[i - 1];
        }
    }
    if (dump->layouts_n == DUMP_LAYOUTS_MAX) {
        layout_free(layout);
        return NULL;
    }
    *ARRAY_PUSH(dump->layouts, dump->layouts_n) = layout;
    return layout;
}

/* Returns the layout that CREATE TABLE gave the table, or NULL. */
static const struct dump_layout *find_layout(const struct dump *dump, const char *database,
                                             const char *table)
{
    for (uint32_t i = 0; i < dump->layouts_n; i++) {
        const struct dump_layout *layout = dump->layouts[i];

        if (strcmp(layout->table, table) == 0 && strcmp(layout->database, database) == 0)
            return layout;
    }
    return NULL;
}

/* Reads a table's name, after that of its database where it has one, into a layout without columns.
 */
static int read_table(struct dump *dump, struct dump_layout **ret, struct err *err)
{
    char first[DUMP_NAME_MAX], second[DUMP_NAME_MAX];
    struct dump_layout *layout;
    int rc = dump_text_name(&dump->text, first, err);

    if (rc < 0)
        return rc;
    dump_text_skip_blanks(&dump->text);
    *second = '\0';
    if (dump_text_peek(&dump->text) == '.') {
        dump_text_get(&dump->text);
        rc = dump_text_name(&dump->text, second, err);
        if (rc < 0)
            return rc;
    }
    layout = xcalloc(1, sizeof(*layout));
    layout->table = xstrdup(*second ? second : first);
    layout->database = xstrdup(*second ? first : dump->database);
    *ret = layout;
    return 0;
}

static int add_column(struct dump *dump, struct dump_layout *layout, const char *name,
                      struct err *err)
{
    if (layout->columns_n == DUMP_COLUMNS_MAX)
        return dump_text_fail(&dump->text, err, "table %s has more than %d columns", layout->table,
                              DUMP_COLUMNS_MAX);
    *ARRAY_PUSH(layout->columns, layout->columns_n) = xstrdup(name);
    return 0;
}

/* ---- CREATE TABLE ---- */

/* Returns whether what begins with this word in a table's definition is no column. */
static bool is_key(const char *word)
{
    static const char *const words[] = { "PRIMARY", "KEY",     "UNIQUE",   "INDEX",  "FOREIGN",
                                         "CHECK",   "SPATIAL", "FULLTEXT", "PERIOD", "CONSTRAINT" };

    for (size_t i = 0; i < ARRAY_N(words); i++) {
        if (strcasecmp(word, words[i]) == 0)
            return true;
    }
    return false;
}

static int read_definitions(struct dump *dump, struct dump_layout *layout, struct err *err)
{
    for (;;) {
        char name[DUMP_NAME_MAX];
        bool is_quoted;
        int rc;

        dump_text_skip_blanks(&dump->text);
        is_quoted = dump_text_peek(&dump->text) == '`';
        rc = dump_text_name(&dump->text, name, err);
        if (rc == 0 && (is_quoted || !is_key(name)))
            rc = add_column(dump, layout, name, err);
        if (rc == 0)
            rc = dump_text_skip_item(&dump->text, err);
        if (rc < 0)
            return rc;
        if (rc == ')')
            return 0;
    }
}

static int skip_statement(struct dump *dump, struct err *err)
{
    return dump_text_skip_statement(&dump->text, dump->delimiter, err);
}

static int read_create(struct dump *dump, struct err *err)
{
    struct dump_layout *layout = NULL;
    int rc;

    dump_text_skip_blanks(&dump->text);
    if (!dump_text_word(&dump->text, "TABLE"))
        return skip_statement(dump, err);
    if (dump_text_word(&dump->text, "IF"))
        (void)(dump_text_word(&dump->text, "NOT") && dump_text_word(&dump->text, "EXISTS"));
    rc = read_table(dump, &layout, err);
    if (rc < 0)
        return rc;
    dump_text_skip_blanks(&dump->text);
    if (dump_text_peek(&dump->text) == '(') {
        dump_text_get(&dump->text);
        rc = read_definitions(dump, layout, err);
    }
    if (rc < 0 || layout->columns_n == 0)
        layout_free(layout);
    else if (!keep_layout(dump, layout))
        rc = dump_text_fail(&dump->text, err, "more than %d tables", DUMP_LAYOUTS_MAX);
    return rc < 0 ? rc : skip_statement(dump, err);
}

/* ---- INSERT ---- */

static int read_columns(struct dump *dump, struct dump_layout *layout, struct err *err)
{
    for (;;) {
        char name[DUMP_NAME_MAX];
        int rc, next;

        dump_text_skip_blanks(&dump->text);
        rc = dump_text_name(&dump->text, name, err);
        if (rc == 0)
            rc = add_column(dump, layout, name, err);
        if (rc < 0)
            return rc;
        dump_text_skip_blanks(&dump->text);
        next = dump_text_get(&dump->text);
        if (next == ')')
            return 0;
        if (next != ',')
            return dump_text_fail(&dump->text, err, "the columns of table %s do not end",
                                  layout->table);
    }
}

/* Tells the layout of the rows that follow: that of the statement, or of CREATE TABLE. */
static int read_layout(struct dump *dump, struct err *err)
{
    struct dump_layout *layout = NULL;
    int rc = read_table(dump, &layout, err);

    if (rc < 0)
        return rc;
    dump_text_skip_blanks(&dump->text);
    if (dump_text_peek(&dump->text) == '(') {
        dump_text_get(&dump->text);
        rc = read_columns(dump, layout, err);
        if (rc < 0) {
            layout_free(layout);
            return rc;
        }
        dump->layout = keep_layout(dump, layout);
        return dump->layout ? 0
                            : dump_text_fail(&dump->text, err,
                                             "more than %d tables and lists of "
                                             "columns",
                                             DUMP_LAYOUTS_MAX);
    }
    dump->layout = find_layout(dump, layout->database, layout->table);
    if (!dump->layout)
        rc = dump_text_fail(&dump->text, err,
                            "the columns of table %s are not known: neither CREATE TABLE nor this "
                            "INSERT tells them (mysqldump was called with --no-create-info)",
                            layout->table);
    layout_free(layout);
    return rc;
}

static int read_insert(struct dump *dump, struct err *err)
{
    int rc;

    while (dump_text_word(&dump->text, "IGNORE") || dump_text_word(&dump->text, "LOW_PRIORITY") ||
           dump_text_word(&dump->text, "DELAYED"))
        ;
    (void)dump_text_word(&dump->text, "INTO");
    rc = read_layout(dump, err);
    if (rc < 0)
        return rc;
    dump_text_skip_blanks(&dump->text);
    if (!dump_text_word(&dump->text, "VALUES") && !dump_text_word(&dump->text, "VALUE"))
        return dump_text_fail(&dump->text, err, "INSERT into table %s without VALUES",
                              dump->layout->table);
    if (dump->wants && !dump->wants(dump->layout, dump->wants_ctx))
        return skip_statement(dump, err);
    dump->state = IN_ROWS;
    dump->has_row = false;
    return 0;
}

/* Points the cells at their bytes, which do not move any more. */
static void settle_cells(struct dump *dump)
{
    for (uint32_t i = 0; i < dump->cells_n; i++) {
        if (dump->cells[i].text)
            dump->cells[i].text = dump->bytes.data + dump->starts[i];
    }
}

static int read_cell(struct dump *dump, struct err *err)
{
    struct dump_cell *cell = &dump->cells[dump->cells_n];
    struct dump_value value = { .bytes = &dump->bytes, .max = DUMP_CELL_MAX };
    const size_t start = dump->bytes.len;
    int rc;

    if (dump->cells_n == dump->layout->columns_n)
        return dump_text_fail(&dump->text, err, "a row of table %s has more than its %u values",
                              dump->layout->table, dump->layout->columns_n);
    rc = dump_text_value(&dump->text, &value, err);
    if (rc < 0)
        return rc;
    if (dump->bytes.len > DUMP_ROW_MAX)
        return dump_text_fail(&dump->text, err, "a row of table %s has more than %u bytes",
                              dump->layout->table, DUMP_ROW_MAX);
    *cell = (struct dump_cell){ .text = value.is_null ? NULL : "",
                                .n = (uint32_t)(dump->bytes.len - start),
                                .is_cut = value.is_cut };
    dump->starts[dump->cells_n++] = start;
    strbuf_addc(&dump->bytes, '\0');
    return 0;
}

/* Reads "(value, ...)". */
static int read_row(struct dump *dump, struct dump_row *ret, struct err *err)
{
    int next;

    ret->place = (struct dump_place){ .layout = dump->layout,
                                      .offset = dump_text_offset(&dump->text),
                                      .line = dump->text.line };
    if (dump_text_get(&dump->text) != '(')
        return dump_text_fail(&dump->text, err, "a row of table %s does not begin with (",
                              dump->layout->table);
    dump->bytes.len = 0;
    dump->cells_n = 0;
    do {
        int rc = read_cell(dump, err);

        if (rc < 0)
            return rc;
        dump_text_skip_blanks(&dump->text);
        next = dump_text_get(&dump->text);
    } while (next == ',');
    if (next != ')')
        return dump_text_fail(&dump->text, err, "a row of table %s does not end with )",
                              dump->layout->table);
    if (dump->cells_n != dump->layout->columns_n)
        return dump_text_fail(&dump->text, err, "a row of table %s has %u values, not %u",
                              dump->layout->table, dump->cells_n, dump->layout->columns_n);
    settle_cells(dump);
    ret->cells = dump->cells;
    ret->n = dump->cells_n;
    return 1;
}

/* Passes over what a strict reader allows behind rows: what becomes of rows that are there. */
static int end_rows(struct dump *dump, struct err *err)
{
    if (!dump->has_row)
        return dump_text_fail(&dump->text, err, "INSERT into table %s without a row",
                              dump->layout->table);
    if (dump_text_peek(&dump->text) != ';' && dump_text_peek(&dump->text) >= 0 &&
        !(dump_text_word(&dump->text, "ON") && dump_text_word(&dump->text, "DUPLICATE") &&
          dump_text_word(&dump->text, "KEY") && dump_text_word(&dump->text, "UPDATE")))
        return dump_text_fail(&dump->text, err,
                              "the rows of table %s end neither with ; nor with ON DUPLICATE KEY "
                              "UPDATE",
                              dump->layout->table);
    return skip_statement(dump, err);
}

/* Reads the next row of the statement; 0: there is none any more. */
static int next_row(struct dump *dump, struct dump_row *ret, struct err *err)
{
    dump_text_skip_blanks(&dump->text);
    if (dump_text_peek(&dump->text) == ',') {
        dump_text_get(&dump->text);
        dump_text_skip_blanks(&dump->text);
    }
    if (dump_text_peek(&dump->text) == '(') {
        dump->has_row = true;
        return read_row(dump, ret, err);
    }
    dump->state = BETWEEN;
    if (dump->is_strict)
        return end_rows(dump, err);
    return skip_statement(dump, err); /* it may go on with ON DUPLICATE KEY UPDATE */
}

/* ---- statements ---- */

static int read_use(struct dump *dump, struct err *err)
{
    char name[DUMP_NAME_MAX];
    int rc = dump_text_name(&dump->text, name, err);

    if (rc < 0)
        return rc;
    free(dump->database);
    dump->database = xstrdup(name);
    return skip_statement(dump, err);
}

/* The client's own word, which no server sees: what statements end with. */
static int read_delimiter(struct dump *dump)
{
    dump_text_rest_of_line(&dump->text, dump->delimiter, sizeof(dump->delimiter));
    if (strcmp(dump->delimiter, ";") == 0)
        *dump->delimiter = '\0';
    return 0;
}

/* Refuses a statement, naming its first word. */
static int refuse_statement(struct dump *dump, struct err *err)
{
    char word[DUMP_NAME_MAX];
    struct err ignored = { 0 };

    if (dump_text_name(&dump->text, word, &ignored) < 0)
        snprintf(word, sizeof(word), "what stands there");
    return dump_text_fail(&dump->text, err,
                          "%.40s: rows are taken out of INSERT and REPLACE, and no statement is "
                          "executed",
                          word);
}

static int read_strict_statement(struct dump *dump, struct err *err)
{
    if (dump_text_word(&dump->text, "INSERT") || dump_text_word(&dump->text, "REPLACE"))
        return read_insert(dump, err);
    return refuse_statement(dump, err);
}

static int read_statement(struct dump *dump, struct err *err)
{
    if (dump->is_strict)
        return read_strict_statement(dump, err);
    if (dump_text_word(&dump->text, "DELIMITER"))
        return read_delimiter(dump);
    if (!*dump->delimiter) {
        if (dump_text_word(&dump->text, "INSERT") || dump_text_word(&dump->text, "REPLACE"))
            return read_insert(dump, err);
        if (dump_text_word(&dump->text, "CREATE"))
            return read_create(dump, err);
        if (dump_text_word(&dump->text, "USE"))
            return read_use(dump, err);
    }
    return skip_statement(dump, err);
}

/* Who writes the one comment writes the other, too, unless he is interrupted. */
static int check_end(struct dump *dump, struct err *err)
{
    if (!dump->text.has_head || dump->text.has_tail)
        return 0;
    return err_set(err, EPIPE,
                   "%s: it was cut: its last line is not '-- Dump completed', as its first lines "
                   "promise",
                   dump->text.name);
}

int dump_next(struct dump *dump, struct dump_row *ret, struct err *err)
{
    int rc = dump_text_offset(&dump->text) == 0 ? dump_text_check(&dump->text, err) : 0;

    if (rc < 0)
        return rc;
    for (;;) {
        if (dump->state == IN_ROWS) {
            rc = next_row(dump, ret, err);
            if (rc != 0)
                return rc;
        }
        rc = dump_text_skip_comments(&dump->text, err);
        if (rc < 0)
            return rc;
        if (dump_text_peek(&dump->text) < 0)
            return dump->text.failed ? dump_text_failed(&dump->text, err) : check_end(dump, err);
        rc = read_statement(dump, err);
        if (rc < 0)
            return rc;
    }
}

void dump_rewind(struct dump *dump)
{
    dump_text_seek(&dump->text, 0, 1);
    dump->state = BETWEEN;
}

void dump_seek(struct dump *dump, const struct dump_place *place)
{
    dump_text_seek(&dump->text, place->offset, place->line);
    dump->layout = place->layout;
    xstrset(&dump->database, place->layout->database);
    dump->state = IN_ROWS;
}
