#include "common/report/column.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "common/base/plain.h"
#include "common/schema/slot.h"
#include "common/text/duration.h"
#include "common/text/timetext.h"
#include "common/text/words.h"

const struct report_column *report_find_letter(const struct report_table *table, char letter)
{
    for (uint32_t i = 0; letter && i < table->columns_n; i++) {
        if (table->columns[i].letter == letter)
            return &table->columns[i];
    }
    return NULL;
}

const struct report_column *report_find_name(const struct report_table *table, const char *name)
{
    for (uint32_t i = 0; i < table->columns_n; i++) {
        if (word_is(table->columns[i].name, name))
            return &table->columns[i];
    }
    return NULL;
}

/* ---- paths ---- */

static const struct report_root *find_root(const struct report_table *table, const char *name)
{
    for (uint32_t i = 0; i < table->roots_n; i++) {
        if (strcmp(table->roots[i].name, name) == 0)
            return &table->roots[i];
    }
    return NULL;
}

static int err_path(const struct report_column *column, struct err *err)
{
    return err_set(err, EINVAL, "column '%s': path '%s' does not lead to a value", column->title,
                   column->path);
}

/*
 * Finds the fields of the words after the root's name: parts, then one that is neither part nor
 * list of structs.
 */
static int find_fields(const struct report_column *column, const struct words *words,
                       struct report_path *path, struct err *err)
{
    schema_fn *schema = path->root->schema;

    for (uint32_t i = 1; i < words->n; i++) {
        const struct schema_field *field = schema ? schema_find(schema(), words->at[i]) : NULL;

        if (!field || path->fields_n == REPORT_PATH_MAX)
            return err_path(column, err);
        path->fields[path->fields_n++] = field;
        schema = field->kind == KIND_PART ? field->record : NULL;
    }
    if (schema || path->fields[path->fields_n - 1]->kind == KIND_LIST)
        return err_path(column, err);
    return 0;
}

int report_path_find(const struct report_table *table, const struct report_column *column,
                     struct report_path *ret_path, struct err *err)
{
    struct report_path path = { 0 };
    int rc;

    if (column->path) {
        AUTO(words) struct words words = words_split(column->path, ".");

        path.root = words.n > 1 ? find_root(table, words.at[0]) : NULL;
        rc = path.root ? find_fields(column, &words, &path, err) : err_path(column, err);
        if (rc < 0)
            return rc;
    }
    *ret_path = path;
    return 0;
}

static const void *pointer_at(const void *base, size_t offset)
{
    const void *pointer;

    memcpy(&pointer, (const char *)base + offset, sizeof(pointer));
    return pointer;
}

struct report_path *report_table_paths(const struct report_table *table)
{
    struct report_path *paths = xcalloc(table->columns_n, sizeof(*paths));

    for (uint32_t i = 0; i < table->columns_n; i++)
        report_path_find(table, &table->columns[i], &paths[i], NULL);
    return paths;
}

int report_table_check(const struct report_table *table, struct err *err)
{
    struct report_path path;

    for (uint32_t i = 0; i < table->columns_n; i++) {
        int rc = report_path_find(table, &table->columns[i], &path, err);
        if (rc < 0)
            return rc;
    }
    return 0;
}

/* ---- values, by kind ---- */

static void add_limit(int64_t s, uint32_t style, struct strbuf *out)
{
    if (s != LIMIT_INFINITE && (style & REPORT_SECONDS))
        strbuf_addi(out, s);
    else if (s != LIMIT_INFINITE && (style & REPORT_MINUTES))
        strbuf_addi(out, duration_minutes(s));
    else if (style & REPORT_LONG)
        duration_format(out, s);
    else
        duration_format_short(out, s);
}

/* Goes to the next unit as long as no more than a half is left over, as Slurm does. */
void report_format_mb(uint64_t mb, bool exact_units, struct strbuf *out)
{
    static const char units[] = "MGTP";
    double amount = (double)mb;
    size_t unit = 0;

    while (!exact_units && unit + 2 < sizeof(units) && amount >= 1024 && mb % 512 == 0) {
        amount /= 1024;
        unit++;
        mb = (uint64_t)amount;
        if ((double)mb < amount)
            break;
    }
    if ((double)mb < amount)
        strbuf_addf(out, "%.2f%c", amount, units[unit]);
    else if (mb)
        strbuf_addf(out, "%" PRIu64 "%c", mb, units[unit]);
    else
        strbuf_adds(out, "0");
}

void report_format_number(enum schema_kind kind, int64_t number, uint32_t style,
                          const struct report_context *ctx, struct strbuf *out)
{
    if (kind == KIND_TIME)
        time_format(out, number, style & REPORT_SECONDS ? "%s" : ctx->time_manner, ctx->now, "N/A");
    else if (kind == KIND_LIMIT)
        add_limit(number, style, out);
    else if (kind == KIND_MB && !(style & REPORT_BARE))
        report_format_mb((uint64_t)number, ctx->exact_units, out);
    else
        strbuf_addi(out, number);
}

static void add_given(const struct schema_field *field, const void *msg, uint32_t style,
                      const struct report_context *ctx, struct strbuf *out)
{
    union schema_slot slot = schema_slot(field, msg);
    const char *comma = style & REPORT_BARE ? " " : ",";

    switch (field->kind) {
    case KIND_BOOL:
        strbuf_adds(out, style & REPORT_LONG ? "Yes" : "1");
        break;
    case KIND_U32:
    case KIND_ENUM:
        report_format_number(KIND_U32, *slot.u32, style, ctx, out);
        break;
    case KIND_COUNT:
        if (*slot.u32 == COUNT_INFINITE)
            strbuf_adds(out, "UNLIMITED");
        else
            strbuf_addu(out, *slot.u32);
        break;
    case KIND_I32:
        report_format_number(KIND_U32, *slot.i32, style, ctx, out);
        break;
    case KIND_U64:
        strbuf_addu(out, *slot.u64);
        break;
    case KIND_I64:
    case KIND_TIME:
    case KIND_LIMIT:
    case KIND_MB:
        report_format_number(field->kind, *slot.i64, style, ctx, out);
        break;
    case KIND_STR:
    case KIND_HOSTS:
        strbuf_adds(out, *slot.str);
        break;
    case KIND_STRS:
        for (uint32_t i = 0; i < *schema_count(field, msg); i++)
            strbuf_addf(out, "%s%s", i ? comma : "", (*slot.strs)[i]);
        break;
    case KIND_U32S:
        for (uint32_t i = 0; i < *schema_count(field, msg); i++)
            strbuf_addf(out, "%s%" PRIu32, i ? comma : "", (*slot.u32s)[i]);
        break;
    case KIND_BLOB:
        for (uint32_t i = 0; i < slot.blob->n; i++)
            strbuf_addf(out, "%02x", slot.blob->data[i]);
        break;
    case KIND_LIST:
    case KIND_PART:
        break; /* report_path_find lets none through */
    }
}

/* Returns whether the kind has a value for "not given". Plain numbers have none: 0 is a number. */
static bool can_be_unset(enum schema_kind kind)
{
    return kind == KIND_COUNT || kind == KIND_TIME || kind == KIND_LIMIT || kind == KIND_MB ||
           kind == KIND_STR || kind == KIND_HOSTS || kind == KIND_STRS || kind == KIND_U32S ||
           kind == KIND_BLOB;
}

static const char *unset_word(const struct report_column *column, const struct report_path *path)
{
    enum schema_kind kind = path->fields_n ? path->fields[path->fields_n - 1]->kind : column->kind;

    if (column->unset || column->make)
        return column->unset ? column->unset : "";
    return kind == KIND_STR || kind == KIND_HOSTS || kind == KIND_STRS ? "(null)" : "N/A";
}

/* Returns the last field of a path when the row has a value there, else NULL. */
static const struct schema_field *given_field(const struct report_path *path, const void *row,
                                              const void **ret_msg)
{
    const struct schema_field *field = path->root ? path->fields[path->fields_n - 1] : NULL;
    const void *msg = path->root ? pointer_at(row, path->root->offset) : NULL;

    for (uint32_t i = 0; msg && i + 1 < path->fields_n; i++)
        msg = pointer_at(msg, path->fields[i]->offset);
    if (!field || !msg || (can_be_unset(field->kind) && schema_is_default(field, msg)))
        return NULL;
    *ret_msg = msg;
    return field;
}

static void add_path(const struct report_column *column, const struct report_path *path,
                     const struct report_context *ctx, const void *row, struct strbuf *out)
{
    const void *msg = NULL;
    const struct schema_field *field = given_field(path, row, &msg);

    if (!field)
        strbuf_adds(out, unset_word(column, path));
    else if (field->kind == KIND_BOOL && !*schema_slot(field, msg).boolean)
        strbuf_adds(out, column->style & REPORT_LONG ? "No" : "0");
    else
        add_given(field, msg, column->style, ctx, out);
}

static void add_made(const struct report_column *column, const struct report_context *ctx,
                     const void *row, struct strbuf *out)
{
    const size_t from = out->len;

    column->make(ctx, row, out);
    if (column->style & REPORT_LINES)
        plain_escape_lines(out, from);
    else
        plain_escape(out, from);
}

void report_value(const struct report_column *column, const struct report_path *path,
                  const struct report_context *ctx, const void *row, struct strbuf *out)
{
    size_t len = out->len;
    int64_t number;

    if (column->make) {
        add_made(column, ctx, row, out);
        if (out->len == len)
            strbuf_adds(out, unset_word(column, path));
    } else if (!column->number) {
        add_path(column, path, ctx, row, out);
        plain_escape(out, len);
    } else if (column->number(ctx, row, &number)) {
        report_format_number(column->kind, number, column->style, ctx, out);
    } else {
        strbuf_adds(out, unset_word(column, path));
    }
}

bool report_is_given(const struct report_column *column, const struct report_path *path,
                     const struct report_context *ctx, const void *row)
{
    AUTO(strbuf) struct strbuf text = { 0 };
    const void *msg = NULL;
    int64_t number;

    if (column->number)
        return column->number(ctx, row, &number);
    if (!column->make) {
        const struct schema_field *field = given_field(path, row, &msg);

        return field && !schema_is_default(field, msg);
    }
    column->make(ctx, row, &text);
    return text.len > 0;
}

/* ---- order ---- */

static bool is_text(const struct report_column *column, const struct report_path *path)
{
    enum schema_kind kind = path->root ? path->fields[path->fields_n - 1]->kind : column->kind;

    return !column->number && (column->make || kind >= KIND_STR);
}

static bool number_of(const struct report_column *column, const struct report_path *path,
                      const struct report_context *ctx, const void *row, int64_t *ret)
{
    const void *msg = NULL;
    const struct schema_field *field;

    if (column->number)
        return column->number(ctx, row, ret);
    field = given_field(path, row, &msg);
    if (!field)
        return false;

    union schema_slot slot = schema_slot(field, msg);

    if (field->kind == KIND_BOOL)
        *ret = *slot.boolean;
    else if (field->kind == KIND_I32)
        *ret = *slot.i32;
    else if (field->kind == KIND_U32 || field->kind == KIND_ENUM || field->kind == KIND_COUNT)
        *ret = *slot.u32;
    else
        *ret = *slot.i64;
    return true;
}

static void text_order(const struct report_column *column, const struct report_path *path,
                       const struct report_context *ctx, const void *row, struct report_order *ret)
{
    AUTO(strbuf) struct strbuf text = { 0 };

    ret->is_given = column->make || report_is_given(column, path, ctx, row);
    ret->is_plain = path->root && path->fields[path->fields_n - 1]->kind == KIND_STR;
    if (!ret->is_given)
        return;
    if (column->make)
        add_made(column, ctx, row, &text);
    else
        report_value(column, path, ctx, row, &text);
    ret->is_given = !column->make || text.len > 0;
    ret->text = ret->is_given ? strbuf_steal(&text) : NULL;
}

void report_order_of(const struct report_column *column, const struct report_path *path,
                     const struct report_context *ctx, const void *row, struct report_order *ret)
{
    *ret = (struct report_order){ 0 };
    if (is_text(column, path))
        text_order(column, path, ctx, row, ret);
    else
        ret->is_given = number_of(column, path, ctx, row, &ret->number);
}

int report_order_compare(const struct report_order *a, const struct report_order *b)
{
    if (!a->is_given || !b->is_given)
        return b->is_given - a->is_given;
    if (a->text && a->text == b->text)
        return 0;
    if (a->text && a->is_plain)
        return strcmp(a->text, b->text);
    if (a->text)
        return strverscmp(a->text, b->text);
    return (a->number > b->number) - (a->number < b->number);
}
